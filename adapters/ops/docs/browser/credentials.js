import { make } from './make.js';

const names = { customer: 'Customer', admin: 'Admin', own: 'Own key' };

/**
 * Lets the reader choose whom the requests act for: somebody of the demonstration, where the server has keys for them, or
 * whoever their own key stands for. Keys are in this tab's memory only.
 * @param keys the demonstration's, by the names of whom they stand for
 * @param authorize told of the key, or of none
 * @returns renew: takes other keys for the same names
 */
export const actAs = (keys, authorize) => {
  let known = keys;
  const form = document.querySelector('#caller');
  const field = form.elements.namedItem('key');
  const choices = Object.keys(known);
  if (choices.length > 0) choices.push('own');
  document.querySelector('#callers').replaceChildren(...choices.map(choiceOf));
  form.querySelector('fieldset').hidden = choices.length === 0;
  const choose = () => {
    const chosen = new FormData(form).get('caller') ?? 'own';
    document.querySelector('#own-key').hidden = chosen !== 'own';
    authorize(chosen === 'own' ? field.value.trim() : known[chosen]);
  };
  form.addEventListener('input', choose);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  choose();
  return {
    renew: (others) => {
      known = { ...known, ...others };
      choose();
    },
  };
};

const choiceOf = (name, place) =>
  make(
    'label',
    {},
    make('input', { type: 'radio', name: 'caller', value: name, checked: place === 0 }),
    names[name] ?? name,
  );
