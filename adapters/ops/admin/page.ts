import { moduleExtension } from '../module-files.ts';
import type { ProviderLogin } from './login.ts';

const styles = [
  'page',
  'navigation',
  'lists',
  'details',
  'forms',
  'overview',
  'products',
  'choices',
  'customers',
  'import',
  'print',
];

/** In this order: the first one removes from the address what an identity provider has put there. */
export const scripts: readonly string[] = ['login/callback', 'app'].map(
  (name) => `assets/${name}${moduleExtension}`,
);

interface Options {
  /** Whether the page can send requests, because the API is served on the page's own origin. */
  readonly canSend: boolean;
  /** Whether the page can ask for demonstration keys. */
  readonly hasKeys: boolean;
  /** How people sign in at an identity provider; undefined where they cannot. */
  readonly login: ProviderLogin | undefined;
  /** Names the contents of the page's files. */
  readonly release: string;
  /**
   * The modules that the scripts import, by their paths. Named in the page they are fetched at once; a browser would find them one
   * import after the other.
   */
  readonly modules: readonly string[];
}

/** The page, which a script fills. */
export const adminPage = ({ canSend, hasKeys, login, release, modules }: Options): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Portico</title>
<link rel="icon" href="/admin/${release}/assets/icon.svg" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="/admin/${release}/assets/styles/${name}.css">`).join('\n')}
${canSend ? [...modules.map((path) => `<link rel="modulepreload" href="/admin/${release}/${path}">`), ...scripts.map((path) => `<script src="/admin/${release}/${path}" type="module"></script>`)].join('\n') : ''}
</head>
<body${hasKeys ? ' data-keys="/docs/keys.json"' : ''}${login ? ` data-login="${escapeAttribute(JSON.stringify(login))}"` : ''}>
${
  canSend
    ? '<div id="app"><p class="boot">Loading …</p></div>'
    : '<p class="boot">The API is served on this page’s origin only on a loopback address. Set <code>PAGES_PORT</code> and <code>ADMIN_PAGE=1</code>, and open the page there.</p>'
}
<noscript><p class="boot">This page needs JavaScript.</p></noscript>
</body>
</html>
`;

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
