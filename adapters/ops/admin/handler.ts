import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { type AssetAt, fileAt } from '../browser-files.ts';
import { litFiles } from '../lit-files.ts';
import { moduleFiles } from '../module-files.ts';
import { moduleGraph } from '../module-graph.ts';
import { type Asset, createAsset, requireReadMethod, sendAsset, sendText } from '../responses.ts';
import { allowConnections, setSecurityHeaders } from '../security-headers.ts';
import { connectSources, type ProviderLogin } from './login.ts';
import { adminPage, scripts } from './page.ts';

interface Dependencies {
  /** The folder of the typed client's modules. */
  readonly clientFolder: URL;
  /** Whether the page can send requests, because the API is served on the page's own origin. */
  readonly canSend: boolean;
  /** Whether the page can ask for demonstration keys. */
  readonly hasKeys: boolean;
  /** How people sign in at an identity provider now; undefined where there is none. */
  readonly findLogin?: (() => Promise<ProviderLogin>) | undefined;
  readonly report: (error: unknown) => void;
}

/**
 * Handles `/admin` and all paths below it: the page and its files. Everything that the page shows comes from the public API.
 *
 * The page names its files by `/admin/<release>/assets/…`, and they import each other by relative paths. A release is named by all
 * contents together, so a browser keeps its files: over a slow network it would need seconds to request a hundred small files again.
 */
export const adminHandler = ({
  report,
  clientFolder,
  findLogin,
  ...options
}: Dependencies): RequestListener => {
  const read = memoizeAsync(() => readRelease(clientFolder));
  const createPage = memoizeLatest((text: string) => createAsset('text/html', text));
  return (request, response) => {
    setSecurityHeaders(response);
    if (!requireReadMethod(request, response)) return;
    const [path = ''] = (request.url ?? '').split('?');
    const sendPage = async ({ name: release, modules }: Release): Promise<void> => {
      // In the page, and not in a file beside it: a stored page must never be shown under the policy of an earlier login.
      const login = options.canSend ? await findLogin?.() : undefined;
      allowConnections(response, connectSources(login));
      sendAsset(request, response, await createPage(adminPage({ ...options, login, release, modules })));
    };
    read()
      .then(async (release) => {
        const name = path.replace(/\/$/, '');
        if (name === '/admin') return await sendPage(release);
        const [, asked, file] = /^\/admin\/(?:([\w-]{16})\/)?(.+)$/.exec(name) ?? [];
        const asset = release.assets.get(file ?? '');
        // A page of another release, from before an update or of another process, gets what there is.
        if (asset) sendAsset(request, response, asset, asked === release.name ? 'unchanging' : 'revalidated');
        else sendText(response, 404, 'There is no such page. Start at /admin.');
      })
      .catch((error: unknown) => {
        report(error);
        sendText(response, 500, 'The page cannot be shown now. See the log.');
      });
  };
};

const browserFolder = new URL('browser/', import.meta.url);
const productFilesFolder = new URL('../../product-files/', import.meta.url);

interface Release {
  /** 16 characters, which name the contents of all files together. */
  readonly name: string;
  /** By their paths: `assets/app.js`. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The modules that the page's scripts import. */
  readonly modules: readonly string[];
}

const readRelease = async (clientFolder: URL): Promise<Release> => {
  const files: readonly AssetAt[] = [
    ...(await moduleFiles(browserFolder, (file) => `assets/${file}`)),
    fileAt('csv-parse/sync.js', new URL(import.meta.resolve('csv-parse/browser/esm/sync'))),
    ...litFiles('lit-html'),
    ...(await moduleFiles(clientFolder, (file) => `client/${file}`)),
    ...(await moduleFiles(productFilesFolder, (file) => `product-files/${file}`)),
  ];
  const created = await Promise.all(files.map(async ([path, create]) => [path, await create()] as const));
  const assets = new Map(created);
  const hash = createHash('sha256');
  for (const [path, { identity }] of created.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`${path} ${identity.tag}\n`);
  const modules = moduleGraph(scripts, (path) => assets.get(path)?.identity.bytes.toString());
  return {
    name: hash.digest('base64url').slice(0, 16),
    assets,
    modules: modules.filter((path) => !scripts.includes(path)),
  };
};

/** Keeps the result for the latest text. */
const memoizeLatest = <T>(create: (text: string) => Promise<T>): ((text: string) => Promise<T>) => {
  let latest: { readonly text: string; readonly result: Promise<T> } | undefined;
  return (text) => {
    if (latest?.text !== text) latest = { text, result: create(text) };
    return latest.result;
  };
};
