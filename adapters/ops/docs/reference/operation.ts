import { withoutErrors } from './common.ts';
import type { Operation } from './document.ts';
import { fieldList, formList } from './field-list.ts';
import { fieldsOf, formsOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { exampleResponse, jsonPanel, samples } from './panels.ts';
import { parameterField } from './parameters.ts';
import type { Reference } from './reference.ts';
import { responseList } from './responses.ts';
import { inline, paragraphs } from './text.ts';

/** An operation: its description on the left, its samples on the right. */
export const operationSection = (reference: Reference, operation: Operation): Html =>
  section(
    reference,
    operation,
    html`${samples(reference, operation)}
<div class="try-it" hidden></div>
${exampleResponse(reference, operation)}`,
  );

/** A request that Portico sends: readers receive it, so there is nothing to try. */
export const webhookSection = (reference: Reference, operation: Operation): Html =>
  section(reference, operation, html`${jsonPanel(reference, 'Body', operation.body?.example)}`);

const section = (reference: Reference, operation: Operation, beside: Html): Html => {
  const { id, method, path, summary } = operation;
  return html`<section class="operation" id="${id}" data-method="${method}" data-path="${path}" aria-labelledby="${id}-title">
<div class="about">
<h2 id="${id}-title"><a class="to-itself" href="#${id}">${summary}</a></h2>
${path.startsWith('/') ? endpoint(operation) : ''}
${description(operation)}
${parameterLists(reference, operation)}
${body(reference, operation)}
${responseList(reference, operation)}
</div>
<div class="beside">
${beside}
</div>
</section>
`;
};

const endpoint = ({ method, path }: Operation): Html =>
  html`<p class="endpoint"><b class="method ${method.toLowerCase()}">${method}</b> <code class="path">${path}</code></p>`;

/** The sentence about the key that it needs stands apart from what it does. */
const description = ({ description }: Operation): Html => {
  const [first = '', ...others] = withoutErrors(description).split('\n\n');
  if (!first.startsWith('Needs '))
    return html`<div class="what">${paragraphs([first, ...others].join('\n\n'))}</div>`;
  return html`<div class="what">${paragraphs(others.join('\n\n'))}</div><p class="access">${inline(first)}</p>`;
};

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

const parameterLists = (
  { document, findObject, common }: Reference,
  { id, parameters }: Operation,
): readonly Html[] => {
  const shared = new Set(common.parameters.map(({ name }) => name));
  return places.flatMap(([place, title]) => {
    const members = parameters.filter((each) => each.in === place && !shared.has(each.name));
    if (members.length === 0) return [];
    const fields = members.map((parameter) => parameterField(document, parameter));
    return [html`<h3>${title}</h3>\n${fieldList(fields, `${id}.${place}`, { findObject, isSent: true })}`];
  });
};

const body = ({ document, findObject }: Reference, { id, body }: Operation): Html | undefined => {
  if (body === undefined) return undefined;
  const forms = formsOf(document, body.schema);
  const sent = { findObject, isSent: true };
  const types = body.mediaTypes.map((type, index) => html`${index === 0 ? '' : ' or '}<code>${type}</code>`);
  return html`<h3>Body <span class="types">${types}</span></h3>
${forms.length > 0 ? html`<p class="one-of">One of these forms:</p>${formList(forms, `${id}.body`, sent, { isFirstOpen: true })}` : fieldList(fieldsOf(document, body.schema), `${id}.body`, sent)}`;
};
