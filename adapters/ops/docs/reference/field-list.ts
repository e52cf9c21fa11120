import { capitalized, type Field, type Form } from './fields.ts';
import { type Html, html } from './html.ts';
import { inline } from './text.ts';

/** Finds the place where a shared schema is described by itself; undefined where it has none. */
export type FindObject = (schema: string) => { readonly href: string; readonly title: string } | undefined;

export interface Shown {
  readonly findObject: FindObject;
  /** Whether clients send the fields. Most of those that they receive are always there, so only the others are marked. */
  readonly isSent: boolean;
}

/**
 * Lists fields, with those inside them folded.
 * @param prefix of the anchors, unique on the page
 */
export const fieldList = (fields: readonly Field[], prefix: string, shown: Shown): Html =>
  html`<ul class="fields">${fields.map((field) => fieldItem(field, `${prefix}.${field.name}`, shown))}</ul>`;

const fieldItem = (field: Field, id: string, shown: Shown): Html => {
  const { name, type, isRequired, role, description, limits, fallback } = field;
  return html`<li class="field" id="${id}">
<p class="name"><a class="field-name" href="#${id}">${name}</a> <span class="type">${type}</span>${presence(isRequired, shown)}${role === undefined ? '' : html` <span class="role">${role} only</span>`}</p>
${description === '' ? '' : html`<p>${inline(description)}</p>`}
${limits.length === 0 ? '' : html`<p class="limits">${limits.map((limit, index) => html`${index === 0 ? '' : ', '}${inline(limit)}`)}</p>`}
${fallback === undefined ? '' : html`<p class="limits">Default: <code>${JSON.stringify(fallback)}</code></p>`}
${values(field)}${inside(field, id, shown)}</li>
`;
};

const presence = (isRequired: boolean, { isSent }: Shown): Html | undefined => {
  if (isSent) return isRequired ? html` <span class="required">required</span>` : undefined;
  return isRequired ? undefined : html` <span class="optional">not always present</span>`;
};

/** More values than these are folded. */
const maxShownValues = 12;

const values = ({ values }: Field): Html | undefined => {
  if (values.length === 0) return undefined;
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  if (texts.length > maxShownValues)
    return html`<details><summary>${texts.length} values</summary><p class="limits">${texts.join(', ')}</p></details>`;
  return html`<ul class="values">${texts.map((text) => html`<li><code class="value">${text}</code></li>`)}</ul>`;
};

const inside = ({ name, schema, children, forms }: Field, id: string, shown: Shown): Html | undefined => {
  if (forms.some(({ fields }) => fields.length > 0)) return formList(forms, id, shown);
  const object = schema === undefined ? undefined : shown.findObject(schema);
  if (object !== undefined) return html`<p class="see"><a href="${object.href}">${object.title}</a></p>`;
  if (children.length === 0) return undefined;
  return html`<details><summary>Fields of <code>${name}</code></summary>${fieldList(children, id, shown)}</details>`;
};

/**
 * The forms that a value can have, each folded or a link to where it is described.
 * @param isFirstOpen whether a reader sees the fields of the first one at once
 */
export const formList = (
  forms: readonly Form[],
  id: string,
  shown: Shown,
  { isFirstOpen = false }: { readonly isFirstOpen?: boolean } = {},
): Html =>
  html`<ul class="forms">${forms.map(({ name, schema, fields }, index) => {
    const object = schema === undefined ? undefined : shown.findObject(schema);
    if (object !== undefined) return html`<li class="see"><a href="${object.href}">${object.title}</a></li>`;
    const open = isFirstOpen && index === 0 ? html` open` : '';
    return html`<li><details${open}><summary>${schema === undefined ? html`<code>${name}</code>` : capitalized(name)}</summary>${fieldList(fields, `${id}.${name.replaceAll(' ', '-')}`, shown)}</details></li>`;
  })}</ul>`;
