import { closest } from './page.ts';
import { openSearch } from './search-dialog.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

for (const button of document.querySelectorAll<HTMLElement>('.search-button')) {
  button.hidden = false;
  const key = button.querySelector('kbd');
  if (key && isMac) key.textContent = '⌘K';
  button.addEventListener('click', openSearch);
}

const isTyping = ({ target }: Event): boolean =>
  closest(target, 'input, textarea, select, [contenteditable]') !== null;

addEventListener('keydown', (event) => {
  const { key, altKey, shiftKey } = event;
  const hasCommand = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  const isCommandK = hasCommand && !altKey && !shiftKey && key.toLowerCase() === 'k';
  const isSlash = key === '/' && !event.ctrlKey && !event.metaKey && !altKey && !isTyping(event);
  if (!isCommandK && !isSlash) return;
  event.preventDefault();
  openSearch();
});
