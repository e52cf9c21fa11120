// @ts-nocheck
/** Creates an element with properties, such as `className`, and children. */
export const createElement = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** Reads the API keys of the demonstration, by role. Returns none where the server offers none to this page. */
export const fetchDemoKeys = async () => {
  const { keys: url } = document.body.dataset;
  if (url === undefined) return {};
  const response = await fetch(url);
  return response.ok ? response.json() : {};
};
