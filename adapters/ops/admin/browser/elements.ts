/**
 * Focuses the heading of the view where nothing has the focus, because what had it is gone: a keyboard or a screen reader would begin
 * at the top of the page again.
 */
export const catchFocus = (): void => {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
};

/** A class of elements: `HTMLInputElement`. */
type Class<E> = abstract new () => E;

/** @returns the first element below a node that a selector matches @throws TypeError where there is none of this class */
export const find = <E extends Element>(root: ParentNode, selector: string, type: Class<E>): E =>
  as(root.querySelector(selector), type);

/** @returns the same element @throws TypeError for one of another class, and for none */
export const as = <E>(element: unknown, type: Class<E>): E => {
  if (element instanceof type) return element;
  throw new TypeError(`There is no ${type.name} where one is expected.`);
};

/** The input that an event comes from. */
export const inputOf = ({ target }: Event): HTMLInputElement => as(target, HTMLInputElement);

/** The select list that an event comes from. */
export const selectOf = ({ target }: Event): HTMLSelectElement => as(target, HTMLSelectElement);

/** The form that is sent. */
export const formOf = ({ target }: Event): HTMLFormElement => as(target, HTMLFormElement);

/** What the text fields of a form hold, by their names. */
export type Values = Readonly<Record<string, string>>;

export const valuesOf = (form: HTMLFormElement): Values =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/** @returns a value without the white space around it; '' where the form has no such field */
export const textOf = (values: Values, name: string): string => (values[name] ?? '').trim();
