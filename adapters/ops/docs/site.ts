import { readdir, readFile } from 'node:fs/promises';
import { remembered } from '#adapters/support/lazy.ts';
import { type Asset, assetOf } from '../asset.ts';
import { guidePage, referencePage, type Site } from './pages.ts';

const drawnWith = new URL('browser/', import.meta.url);
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/**
 * Finds what is at a path. Every page lists the guides, so they are all read with the first request; any other file when
 * it is first asked for.
 */
export const siteOf = (site: Site): ((path: string) => Promise<Asset | undefined>) => {
  const makers = remembered(() => makersOf(site));
  return async (path) => (await makers()).get(path.replace(/\/$/, ''))?.();
};

const makersOf = async (site: Site): Promise<ReadonlyMap<string, () => Promise<Asset>>> => {
  // What draws Markdown is loaded by those only who want to see it.
  const { readGuides } = await import('./guides.ts');
  const guides = await readGuides(site.apiUrl);
  const files = [
    ...(await readdir(drawnWith)).map((name) => new URL(name, drawnWith)),
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  ];
  const all: readonly (readonly [path: string, make: () => Promise<Asset>])[] = [
    ['/docs', () => assetOf('text/html', referencePage(site, guides))],
    ...guides.map(
      (guide) => [guide.path, () => assetOf('text/html', guidePage(site, guides, guide))] as const,
    ),
    ...files.map((file) => {
      const name = file.pathname.split('/').at(-1) ?? '';
      const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [`/docs/assets/${name}`, async () => assetOf(type, await readFile(file))] as const;
    }),
  ];
  return new Map(all.map(([path, make]) => [path, remembered(make)]));
};
