// Returns texts with a contrast below 4.5:1, or 3:1 for large text (WCAG 2.2, success criterion 1.4.3).
(() => {
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const backgroundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if ((color[3] ?? 1) > 0.99) return color;
    }
    return [255, 255, 255];
  };
  const luminance = (color) => {
    const [red, green, blue] = color.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode;
    const text = textContent.trim();
    if (text === '' || !element.checkVisibility()) continue;
    const { color, fontSize } = getComputedStyle(element);
    const [less, more] = [luminance(numbers(color)), luminance(backgroundOf(element))].sort((a, b) => a - b);
    const contrast = (more + 0.05) / (less + 0.05);
    const required = Number.parseFloat(fontSize) >= 24 ? 3 : 4.5;
    if (contrast < required) found.add(`${contrast.toFixed(2)} ${element.className}: ${text.slice(0, 40)}`);
  }
  return [...found];
})();
