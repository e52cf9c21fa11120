import { moduleExtension } from '../module-files.ts';
import { contents, isReference } from './contents.ts';
import { guideArticle } from './guide-article.ts';
import type { Guide } from './guides.ts';
import { chapterContent } from './reference/chapter.ts';
import { overviewContent } from './reference/overview.ts';
import type { Chapter, Reference } from './reference/reference.ts';
import { overviewPath, webhooksPath } from './reference/reference.ts';
import { webhooksContent } from './reference/webhooks.ts';

export interface Site {
  readonly version: string;
  /** The API's address for clients on this machine; undefined where they cannot reach it. */
  readonly apiUrl: string | undefined;
  /** Whether the page can send requests, because the API is served on the page's own origin. */
  readonly canSend: boolean;
  /** Whether the page can ask for demonstration keys. */
  readonly hasKeys: boolean;
}

/** What every page lists beside its content. */
export interface Documents {
  readonly guides: readonly Guide[];
  readonly reference: Reference;
  /** Lists the modules that scripts import, by their paths, so that a browser fetches all of them at once. */
  readonly modulesOf: (scripts: readonly string[]) => readonly string[];
}

const referenceStyles = [
  'page.css',
  'contents.css',
  'operations.css',
  'fields.css',
  'panels.css',
  'try-it.css',
  'print.css',
];

const referenceScripts = ['chapter', 'try-it/index'];

/** The page of what all operations have in common. */
export const overviewPage = (site: Site, documents: Documents): string =>
  page(site, documents, {
    path: overviewPath,
    title: 'API reference',
    styles: referenceStyles,
    scripts: [...referenceScripts, 'old-links'],
    main: `${overviewContent(documents.reference, site)}`,
  });

/** The page of the operations of a tag. */
export const chapterPage = (site: Site, documents: Documents, chapter: Chapter): string =>
  page(site, documents, {
    path: chapter.path,
    title: chapter.title,
    styles: referenceStyles,
    scripts: referenceScripts,
    main: `${chapterContent(documents.reference, chapter)}`,
  });

/** The page of the requests that Portico sends to webhook endpoints. */
export const webhooksPage = (site: Site, documents: Documents): string =>
  page(site, documents, {
    path: webhooksPath,
    title: 'Webhooks',
    styles: referenceStyles,
    scripts: referenceScripts,
    main: `${webhooksContent(documents.reference)}`,
  });

/** The page of a path below `/docs` that names nothing, with links to what there is. */
export const notFoundPage = (site: Site, documents: Documents): string =>
  page(site, documents, {
    path: '',
    title: 'Page not found',
    styles: ['page.css', 'contents.css', 'guide.css'],
    scripts: ['not-found'],
    main: `<main class="guide">
<h1>There is no such page</h1>
<p>The address is misspelt, or the page has moved.</p>
<section id="suggestions" aria-labelledby="suggested" hidden><h2 id="suggested">Perhaps you look for</h2></section>
<p><button type="button" class="search-button" hidden>Search the docs</button></p>
<p>Or go on with one of these:</p>
<ul>
  <li><a href="/docs">API reference</a>: every operation${site.canSend ? ', to be sent from the page' : ''}</li>
${documents.guides.map(({ path, title }) => `  <li><a href="${path}">${title}</a></li>`).join('\n')}
  <li><a href="/openapi.json">openapi.json</a>: the API for programs</li>
</ul>
</main>`,
  });

export const guidePage = (site: Site, documents: Documents, guide: Guide): string =>
  page(site, documents, {
    path: guide.path,
    title: guide.title,
    styles: ['page.css', 'contents.css', 'guide.css', 'outline.css'],
    scripts: ['guide'],
    main: guideArticle(documents.guides, guide),
  });

/** The scripts of a page, and before them the names of what they import. */
const moduleTags = ({ modulesOf }: Documents, scripts: readonly string[]): string => {
  const paths = scripts.map((name) => `/docs/assets/${name}${moduleExtension}`);
  const preloaded = modulesOf(paths).map((path) => `<link rel="modulepreload" href="${path}">`);
  return [...preloaded, ...paths.map((path) => `<script src="${path}" type="module"></script>`)].join('\n');
};

interface Content {
  readonly path: string;
  readonly title: string;
  readonly styles: readonly string[];
  /** The modules that the page begins with, by their names. */
  readonly scripts: readonly string[];
  readonly main: string;
}

const page = (
  site: Site,
  documents: Documents,
  { path, title, styles, scripts, main }: Content,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Portico</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
${[...styles, 'reading.css', 'search.css'].map((name) => `<link rel="stylesheet" href="/docs/assets/${name}">`).join('\n')}
<script src="/docs/assets/contents${moduleExtension}"></script>
${moduleTags(documents, ['search', ...scripts])}
</head>
<body${site.hasKeys ? ' data-keys="/docs/keys.json"' : ''}${site.canSend ? ' data-can-send' : ''}>
<a class="skip" href="#main">To the content</a>
<header class="top">
  <a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">Portico</a>
  <span class="version">${site.version}</span>
  <button type="button" class="search-button" hidden>Search <kbd>Ctrl K</kbd></button>
  <nav aria-label="Documents">
    <a href="/docs"${isReference(path) ? ' class="here"' : ''}>Reference</a>
    <a href="${documents.guides[0]?.path}"${path.startsWith('/docs/') && !isReference(path) ? ' class="here"' : ''}>Guides</a>
    <a href="/openapi.json">openapi.json</a>
  </nav>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">
  <details id="contents">
    <summary>Contents</summary>
${contents(documents, path)}
  </details>
</nav>
<div id="main" tabindex="-1">
${main}
</div>
</div>
</body>
</html>
`;
