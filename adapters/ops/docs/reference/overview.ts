import { withoutErrors } from './common.ts';
import { fieldList } from './field-list.ts';
import { fieldsOf } from './fields.ts';
import { firstSteps } from './first-steps.ts';
import { type Html, html } from './html.ts';
import { codePanel, jsonPanel } from './panels.ts';
import { headerFields, parameterField } from './parameters.ts';
import { operationHref, originOf, type Reference, webhooksPath } from './reference.ts';
import { inline, paragraphs } from './text.ts';

/** The content of /docs: what all operations have in common, and a list of them. */
export const overviewContent = (reference: Reference, { canSend }: { readonly canSend: boolean }): Html => {
  const { document, common, findObject } = reference;
  const [tagline = '', ...others] = withoutErrors(document.info.description ?? '').split('\n\n');
  const origin = originOf(reference);
  const received = { findObject, isSent: false };
  return html`<main class="reference">
<div class="lead">
<h1>${document.info.title} API</h1>
${paragraphs(tagline)}
</div>
${firstSteps(reference, { canSend })}
<section class="topic" aria-labelledby="authentication">
<div class="about">
<h2 id="authentication"><a class="to-itself" href="#authentication">Authentication</a></h2>
${schemes(reference)}
<p>What a key may do is the part of its scopes that the role of its user allows, too. Each operation names what it needs.</p>
</div>
<div class="beside">${codePanel(reference, 'The header of every request', 'Authorization: Bearer ptc_…', 'http')}
${exampleOf(reference, 'UNAUTHORIZED')}</div>
</section>
<section class="topic" aria-labelledby="requests">
<div class="about">
<h2 id="requests"><a class="to-itself" href="#requests">Requests and responses</a></h2>
${paragraphs(others.join('\n\n'))}
<p>Bodies are JSON in UTF-8. A response has its resource in <code>data</code>; a list has a page of them, and the cursor of the next page in <code>pagination</code>.</p>
<h3>Headers of every request</h3>
${fieldList(
  common.parameters.map((parameter) => parameterField(document, parameter)),
  'request',
  { findObject, isSent: true },
)}
<details class="more"><summary>Headers of every response</summary>${fieldList(
    headerFields(document, common.headers),
    'response',
    received,
  )}</details>
</div>
<div class="beside">${origin === '' ? '' : codePanel(reference, 'Address of the API', `${origin}/v1`, 'text')}</div>
</section>
<section class="topic" aria-labelledby="errors">
<div class="about">
<h2 id="errors"><a class="to-itself" href="#errors">Errors</a></h2>
<p>Every error has a <code>code</code> to branch on, a <code>message</code> for people, and the <code>request_id</code> to report it with.</p>
${common.errorSchema === undefined ? '' : fieldList(fieldsOf(document, common.errorSchema), 'error', received)}
<details class="more"><summary>Headers of errors</summary>${fieldList(headerFields(document, common.errorHeaders), 'error.headers', received)}</details>
<h3>Codes</h3>
<ul class="errors">${common.errors.map(
    ({ code, statuses, advice }) =>
      html`<li id="error-${code}"><p><b class="status">${statuses.join(', ')}</b> <code>${code}</code></p><p>${inline(advice)}</p></li>\n`,
  )}</ul>
</div>
<div class="beside">${exampleOf(reference, 'VALIDATION_ERROR')}</div>
</section>
<section class="topic whole" aria-labelledby="operations">
<h2 id="operations"><a class="to-itself" href="#operations">All operations</a></h2>
${operations(reference)}
</section>
</main>`;
};

const schemes = ({ document }: Reference): readonly Html[] =>
  Object.values(document.components?.['securitySchemes'] ?? {}).map((scheme) =>
    paragraphs((scheme as { readonly description?: string }).description ?? ''),
  );

/** The first response of an operation with an error. */
const exampleOf = (reference: Reference, code: string): Html | undefined => {
  const cases = reference.chapters
    .flatMap(({ operations }) => operations)
    .flatMap(({ responses }) => responses.flatMap(({ errors }) => errors));
  const found = cases.find((each) => each.code === code);
  return (
    found && jsonPanel(reference, html`Response <b class="status failed">${found.status}</b>`, found.example)
  );
};

const operations = ({ chapters, webhooks }: Reference): Html => html`<div class="all-operations">
${chapters.map(
  ({ title, path, description, operations }) => html`<div class="group">
<h3><a class="to-itself" href="${path}">${title}</a></h3>
<p>${inline(description)}</p>
<ul class="endpoints">${operations.map((operation) => {
    const { method, path, summary } = operation;
    return html`<li><a class="endpoint-link" href="${operationHref(operation)}" data-operation="${method} ${path}"><b class="method ${method.toLowerCase()}">${method}</b> <span>${summary}</span> <code class="path">${path}</code></a></li>\n`;
  })}</ul>
</div>
`,
)}${
  webhooks.length === 0
    ? ''
    : html`<div class="group">
<h3><a class="to-itself" href="${webhooksPath}">Webhooks</a></h3>
<p>Requests that Portico sends to you.</p>
<ul class="endpoints">${webhooks.map(({ id, method, summary }) => html`<li><a class="endpoint-link" href="${webhooksPath}#${id}"><b class="method ${method.toLowerCase()}">${method}</b> <span>${summary}</span></a></li>\n`)}</ul>
</div>`
}
</div>`;
