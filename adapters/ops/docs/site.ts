import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { type Asset, createAsset } from '../responses.ts';
import { guidePage, referencePage, type Site } from './pages.ts';

const browserFolder = new URL('browser/', import.meta.url);
const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/**
 * Finds the asset at a path. Every page lists the guides, so the first request reads them all; other files are read when they
 * are first requested.
 */
export const openSite = (site: Site): ((path: string) => Promise<Asset | undefined>) => {
  const assets = memoizeAsync(() => listAssets(site));
  return async (path) => (await assets()).get(path.replace(/\/$/, ''))?.();
};

const listAssets = async (site: Site): Promise<ReadonlyMap<string, () => Promise<Asset>>> => {
  // The Markdown renderer is loaded only where the docs page is read.
  const { readGuides } = await import('./guides.ts');
  const guides = await readGuides(site.apiUrl);
  const assets: readonly (readonly [path: string, create: () => Promise<Asset>])[] = [
    ['/docs', () => createAsset('text/html', referencePage(site, guides))],
    ...guides.map(
      (guide) => [guide.path, () => createAsset('text/html', guidePage(site, guides, guide))] as const,
    ),
    ...(await listFiles()).map((file) => {
      const name = file.pathname.split('/').at(-1) ?? '';
      const type = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [`/docs/assets/${name}`, async () => createAsset(type, await readFile(file))] as const;
    }),
  ];
  return new Map(assets.map(([path, create]) => [path, memoizeAsync(create)]));
};

const listFiles = async (): Promise<readonly URL[]> => {
  const entries = await readdir(browserFolder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  return [
    ...names.map((name) => pathToFileURL(name)),
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  ];
};
