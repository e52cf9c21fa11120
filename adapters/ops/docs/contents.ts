import type { Guide } from './guides.ts';
import { type Html, html } from './reference/html.ts';
import {
  type Chapter,
  operationHref,
  overviewPath,
  type Reference,
  webhooksPath,
} from './reference/reference.ts';

interface Documents {
  readonly guides: readonly Guide[];
  readonly reference: Reference;
}

/** Whether a page is one of the reference, not a guide. */
export const isReference = (path: string): boolean =>
  path === overviewPath || path.startsWith('/docs/reference/');

/** The contents of all pages, with the part that the page at a path belongs to open. */
export const contents = ({ guides, reference }: Documents, path: string): Html => {
  const groups = [referenceGroup(reference, path), guidesGroup(guides, path)];
  return html`${isReference(path) ? groups : groups.reverse()}${others(path)}`;
};

const others = (path: string): Html => html`<h2>More</h2>
<ul>
${item('/docs/changelog', 'Changelog', path)}${item('/llms.txt', 'For language models', path)}</ul>
`;

const guidesGroup = (guides: readonly Guide[], path: string): Html => html`<h2>Guides</h2>
<ul>
${guides.map((guide) => item(guide.path, guide.title, path))}</ul>
`;

const referenceGroup = ({ chapters }: Reference, path: string): Html => html`<h2>Reference</h2>
<ul>
${item(overviewPath, 'Overview', path)}</ul>
<div id="operation-list"><ul>
${chapters.map(
  (
    chapter,
  ) => html`<li>${link(chapter.path, chapter.title, path)}${chapter.path === path ? operationList(chapter) : ''}</li>
`,
)}${item(webhooksPath, 'Webhooks', path)}</ul></div>
`;

/** Those of the page that is open only: the others are a click away. */
const operationList = ({ path, operations, objects }: Chapter): Html => html`<ul class="within">
${operations.map((operation) => {
  const { method, summary } = operation;
  const label = method === 'DELETE' ? 'DEL' : method;
  return html`<li><a href="${operationHref(operation)}" title="${method} ${operation.path}"><b class="method ${method.toLowerCase()}">${label}</b>${summary}</a></li>
`;
})}${objects.map(
  ({ id, title }) => html`<li><a href="${path}#${id}"><b class="method"></b>The ${title} object</a></li>
`,
)}</ul>
`;

const item = (href: string, title: string, path: string): Html => html`<li>${link(href, title, path)}</li>
`;

const link = (href: string, title: string, path: string): Html =>
  html`<a href="${href}"${href === path ? html` aria-current="page"` : ''}>${title}</a>`;
