import bash from '/docs/assets/highlight/bash.js';
import hljs from '/docs/assets/highlight/core.js';
import json from '/docs/assets/highlight/json.js';
import python from '/docs/assets/highlight/python.js';
import typescript from '/docs/assets/highlight/typescript.js';

for (const [language, grammar] of Object.entries({ curl: bash, json, python, typescript }))
  hljs.registerLanguage(language, grammar);

/**
 * Marks the words of a code by classes.
 * @returns nodes that are texts, and elements with nothing but a class: whatever the code is, it remains a text
 */
export const highlight = (code: string, language: string): DocumentFragment => {
  const template = document.createElement('template');
  template.innerHTML = hljs.highlight(code, { language }).value;
  return copyOf(template.content, document.createDocumentFragment());
};

const copyOf = <Parent extends ParentNode>(from: Node, to: Parent): Parent => {
  for (const node of from.childNodes) {
    if (node instanceof Element) {
      const element = document.createElement('span');
      element.className = node.className;
      to.append(copyOf(node, element));
    } else {
      to.append(node.textContent ?? '');
    }
  }
  return to;
};
