import { createElement } from './page.js';

const labels = { customer: 'Customer', admin: 'Admin', own: 'Own key' };

/**
 * Lets the reader choose the API key of the requests: one of the demonstration, or their own. Keys stay in the memory of
 * this tab: no storage of the browser outlives it.
 * @param demoKeys the demonstration's keys, by role
 * @param authorize called with the chosen key, '' while there is none
 * @returns renew: replaces the demonstration's keys
 */
export const chooseCredentials = (demoKeys, authorize) => {
  let keys = demoKeys;
  const form = document.querySelector('#caller');
  const field = form.elements.namedItem('key');
  const choices = Object.keys(keys);
  if (choices.length > 0) choices.push('own');
  document.querySelector('#callers').replaceChildren(...choices.map(radioButton));
  form.querySelector('fieldset').hidden = choices.length === 0;
  const apply = () => {
    const chosen = new FormData(form).get('caller') ?? 'own';
    document.querySelector('#own-key').hidden = chosen !== 'own';
    authorize(chosen === 'own' ? field.value.trim() : keys[chosen]);
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  apply();
  return {
    renew: (renewed) => {
      keys = { ...keys, ...renewed };
      apply();
    },
  };
};

const radioButton = (name, index) =>
  createElement(
    'label',
    {},
    createElement('input', { type: 'radio', name: 'caller', value: name, checked: index === 0 }),
    labels[name] ?? name,
  );
