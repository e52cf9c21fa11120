import { type FindObject, fieldList } from './field-list.ts';
import { fieldsOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { operationSection } from './operation.ts';
import { jsonPanel } from './panels.ts';
import type { ApiObject, Chapter, Reference } from './reference.ts';
import { inline } from './text.ts';

/** The content of the page of a tag. */
export const chapterContent = (reference: Reference, chapter: Chapter): Html => {
  const { title, description, operations, objects } = chapter;
  return html`<main class="reference">
<div class="lead">
<h1>${title}</h1>
<p>${inline(description)}</p>
<ul class="endpoints">${operations.map(({ id, method, path, summary }) => html`<li><a class="endpoint-link" href="#${id}"><b class="method ${method.toLowerCase()}">${method}</b> <span>${summary}</span> <code class="path">${path}</code></a></li>`)}</ul>
</div>
${operations.map((operation) => operationSection(reference, operation))}
${objects.map((object) => objectSection(reference, object))}
</main>`;
};

const objectSection = (reference: Reference, { id, title, schema, example }: ApiObject): Html => {
  // An object that holds its like is described here already.
  const findObject: FindObject = (name) => {
    const found = reference.findObject(name);
    return found?.href.endsWith(`#${id}`) ? undefined : found;
  };
  return html`<section class="object" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h2 id="${id}-title"><a class="to-itself" href="#${id}">The ${title} object</a></h2>
${fieldList(fieldsOf(reference.document, schema), id, { findObject, isSent: false })}
</div>
<div class="beside">
${jsonPanel(reference, `The ${title} object`, example)}
</div>
</section>
`;
};
