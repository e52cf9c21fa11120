import type { Guide } from './guides.ts';

export interface Site {
  readonly version: string;
  /** The API's address for clients on this machine; undefined where they cannot reach it. */
  readonly apiUrl: string | undefined;
  /** Whether the page can send requests, because the API is served on the page's own origin. */
  readonly canSend: boolean;
  /** Whether the page can ask for demonstration keys. */
  readonly hasKeys: boolean;
}

/** The page of the API reference, which a script fills from `/openapi.json`. */
export const referencePage = (site: Site, guides: readonly Guide[]): string =>
  page(site, guides, {
    path: '/docs',
    title: 'API reference',
    styles: [
      ...['swagger-ui.css', 'page.css', 'contents.css', 'reference.css'],
      ...['swagger-operations.css', 'swagger-requests.css', 'swagger-responses.css'],
    ],
    scripts: [
      '<script src="/docs/assets/swagger-ui-bundle.js" defer></script>',
      '<script src="/docs/assets/reference.js" type="module"></script>',
    ],
    main: `<div class="lead">
  <h1>Portico API</h1>
  <p>A commerce API whose payments happen exactly once.${site.canSend ? ' Every request below can be sent from this page.' : ''}</p>
  <form id="caller" class="caller" hidden>
    <fieldset><legend>Acting as</legend><span id="callers" class="choices"></span></fieldset>
    <label id="own-key" class="own-key">Your API key
      <input name="key" type="password" autocomplete="off" spellcheck="false" placeholder="ptc_…">
    </label>
  </form>
  ${site.canSend ? firstSteps : cannotSend}
</div>
<div id="reference"><p class="loading">Loading the API reference …</p></div>
<noscript><p class="note">The reference needs JavaScript. <a href="/docs/api">The API in prose</a> does not.</p></noscript>`,
  });

const firstSteps = `<section class="steps" aria-labelledby="steps">
  <h2 id="steps">Three requests to a paid order</h2>
  <ol>
    <li><a href="#GET/v1/products">Find a product</a> and press <b>Execute</b>.</li>
    <li><a href="#POST/v1/orders">Order it</a>. The page has filled in the product’s id.</li>
    <li><a href="#POST/v1/payments">Pay</a>. Execute it twice: the second response is the first one, replayed.</li>
  </ol>
  <p>To call the API from a page of your own, <a href="/docs/client#in-a-browser">allow its origin</a> first.</p>
</section>`;

const cannotSend = `<p class="note">Requests can be read, not sent, from here: the API is served on this page’s origin only on a loopback
  address. For a page that can send them, set <code>PAGES_PORT</code>. To call the API from a page of your own,
  <a href="/docs/client#in-a-browser">allow its origin</a> first.</p>`;

/** The page of a path below `/docs` that names nothing, with links to what there is. */
export const notFoundPage = (site: Site, guides: readonly Guide[]): string =>
  page(site, guides, {
    path: '',
    title: 'Page not found',
    styles: ['page.css', 'contents.css', 'guide.css'],
    scripts: [],
    main: `<main class="guide">
<h1>There is no such page</h1>
<p>The address is misspelt, or the page has moved. Go on with one of these:</p>
<ul>
  <li><a href="/docs">API reference</a>: every operation${site.canSend ? ', to be sent from the page' : ''}</li>
${guides.map(({ path, title }) => `  <li><a href="${path}">${title}</a></li>`).join('\n')}
  <li><a href="/openapi.json">openapi.json</a>: the API for programs</li>
</ul>
</main>`,
  });

export const guidePage = (site: Site, guides: readonly Guide[], { path, title, html }: Guide): string =>
  page(site, guides, {
    path,
    title,
    styles: ['page.css', 'contents.css', 'guide.css'],
    scripts: ['<script src="/docs/assets/guide.js" type="module"></script>'],
    main: `<main class="guide">\n${html}</main>`,
  });

interface Content {
  readonly path: string;
  readonly title: string;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly main: string;
}

const page = (
  site: Site,
  guides: readonly Guide[],
  { path, title, styles, scripts, main }: Content,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Portico</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="/docs/assets/${name}">`).join('\n')}
<script src="/docs/assets/theme.js"></script>
${scripts.join('\n')}
</head>
<body${site.hasKeys ? ' data-keys="/docs/keys.json"' : ''}${site.canSend ? ' data-can-send' : ''}>
<a class="skip" href="#main">To the content</a>
<header class="top">
  <a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">Portico</a>
  <span class="version">${site.version}</span>
  <nav aria-label="Documents">
    <a href="/docs"${current(path, '/docs')}>Reference</a>
    <a href="${guides[0]?.path}"${path.startsWith('/docs/') ? ' class="here"' : ''}>Guides</a>
    <a href="/openapi.json">openapi.json</a>
  </nav>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">
  <details id="contents">
    <summary>Contents</summary>
    <h2>Guides</h2>
    <ul>
${guides.map((guide) => `      <li><a href="${guide.path}"${current(path, guide.path)}>${guide.title}</a></li>`).join('\n')}
    </ul>
    <h2>Reference</h2>
    <ul>
      <li><a href="/docs"${current(path, '/docs')}>All operations</a></li>
    </ul>
    <div id="operation-list"></div>
  </details>
</nav>
<div id="main" tabindex="-1">
${main}
</div>
</div>
</body>
</html>
`;

const current = (path: string, link: string): string => (path === link ? ' aria-current="page"' : '');
