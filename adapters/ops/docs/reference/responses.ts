import { errorsOf } from './common.ts';
import type { ErrorCase, Operation, Response } from './document.ts';
import { fieldList } from './field-list.ts';
import { fieldsOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { headerFields } from './parameters.ts';
import { overviewPath, type Reference } from './reference.ts';
import { inline } from './text.ts';

/** The responses of an operation, and its errors. */
export const responseList = (reference: Reference, operation: Operation): Html => {
  const succeeded = operation.responses.filter(({ status }) => Number(status) < 400);
  const { own, shared } = errorsOf(operation);
  return html`<h3>Response</h3>
${succeeded.map((response) => success(reference, operation, response))}
${own.length === 0 && shared.length === 0 ? '' : html`<h3>Errors</h3>`}
${own.length === 0 ? '' : html`<ul class="errors">${own.map(ownError)}</ul>`}
${shared.length === 0 ? '' : sharedErrors(shared)}`;
};

const success = (
  { document, findObject, common }: Reference,
  { id }: Operation,
  { status, description, schema, headers }: Response,
): Html => {
  const prefix = `${id}.${status}`;
  const received = { findObject, isSent: false };
  const shared = new Set(common.headers.map(({ name }) => name));
  const own = headerFields(
    document,
    headers.filter(({ name }) => !shared.has(name)),
  );
  return html`<div class="response">
<p class="status-line"><b class="status">${status}</b> ${inline(description)}</p>
${schema === undefined ? '' : fieldList(fieldsOf(document, schema), prefix, received)}
${own.length === 0 ? '' : html`<details class="more"><summary>Headers of the response</summary>${fieldList(own, `${prefix}.headers`, received)}</details>`}
</div>
`;
};

const ownError = ({ status, code, advice }: ErrorCase): Html =>
  html`<li><p><b class="status">${status}</b> <code>${code}</code></p><p>${inline(advice)}</p></li>
`;

/** The overview describes what to do about them. */
const sharedErrors = (cases: readonly ErrorCase[]): Html =>
  html`<details class="more"><summary>${cases.length} errors that other operations have, too</summary>
<ul class="shared-errors">${cases.map(({ status, code }) => html`<li><a class="shared-error" href="${errorHref(code)}">${status} <code>${code}</code></a></li>\n`)}</ul></details>`;

/** Where an error is explained. */
const errorHref = (code: string): string => `${overviewPath}#error-${code}`;
