/** Creates an element with properties, such as `className`, and children. */
export const createElement = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** @returns the first element below a node that a selector matches @throws TypeError where there is none of this class */
export const findElement = <E extends Element>(
  root: ParentNode,
  selector: string,
  type: abstract new () => E,
): E => {
  const element = root.querySelector(selector);
  if (element instanceof type) return element;
  throw new TypeError(`There is no ${selector} that is a ${type.name}.`);
};

/** @returns the element itself, or the first one around it, that a selector matches; null where none does */
export const closest = (target: EventTarget | null, selector: string): Element | null =>
  target instanceof Element ? target.closest(selector) : null;

/** Reads the API keys of the demonstration, by role. Returns none where the server offers none to this page. */
export const fetchDemoKeys = async (): Promise<Readonly<Record<string, string>>> => {
  const url = document.body.dataset['keys'];
  if (url === undefined) return {};
  const response = await fetch(url);
  return response.ok ? response.json() : {};
};
