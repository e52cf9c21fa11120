import { memoizeAsync } from '#adapters/support/lazy.ts';
import { type AssetAt, fileAt } from '../browser-files.ts';
import { litFiles } from '../lit-files.ts';
import { moduleFiles } from '../module-files.ts';
import { moduleGraph } from '../module-graph.ts';
import { type Asset, createAsset } from '../responses.ts';
import { readChangelog, readGuides } from './guides.ts';
import { chapterPage, guidePage, notFoundPage, overviewPage, type Site, webhooksPage } from './pages.ts';
import type { Document } from './reference/document.ts';
import { highlightFiles, loadHighlight } from './reference/highlight.ts';
import { overviewPath, readReference, webhooksPath } from './reference/reference.ts';
import { searchEntries } from './search/entries.ts';
import { textFiles } from './search/llms.ts';

const browserFolder = new URL('browser/', import.meta.url);
const samplesFolder = new URL('samples/', import.meta.url);

/** Reads the guides and the OpenAPI document, and prepares every page and file of the docs. */
export const readSite = async (site: Site, document: () => Promise<Asset>) => {
  const [guides, changelog] = await Promise.all([readGuides(site.apiUrl), readChangelog()]);
  const described: Document = JSON.parse(`${(await document()).identity.bytes}`);
  const files = memoizeEach([
    ...(await moduleFiles(browserFolder, (file) => `/docs/assets/${assetName(file)}`)),
    ...(await moduleFiles(samplesFolder, (file) => `/docs/assets/samples/${file}`)),
    ...litFiles('/docs/assets/lit-html'),
    ...[...highlightFiles].map(([name, file]) => fileAt(`/docs/assets/highlight/${name}.js`, file)),
  ]);
  const documents = {
    guides,
    reference: readReference(described, await loadHighlight()),
    modulesOf: await readModules(files),
  };
  const pages: readonly (readonly [path: string, render: () => string])[] = [
    [overviewPath, () => overviewPage(site, documents)],
    ...[...guides, changelog].map((guide) => [guide.path, () => guidePage(site, documents, guide)] as const),
    ...documents.reference.chapters.map(
      (chapter) => [chapter.path, () => chapterPage(site, documents, chapter)] as const,
    ),
    [webhooksPath, () => webhooksPage(site, documents)],
  ];
  const assets: readonly AssetAt[] = [
    ...pages.map(([path, render]) => [path, async () => createAsset('text/html', render())] as const),
    [
      '/docs/search.json',
      () =>
        createAsset(
          'application/json',
          JSON.stringify(searchEntries(guides, changelog, documents.reference)),
        ),
    ],
    ...textFiles(guides, changelog, documents.reference).map(
      ([path, type, render]) => [path, () => createAsset(type, render())] as const,
    ),
  ];
  return {
    assets: new Map([...memoizeEach(assets), ...files]),
    notFound: memoizeAsync(() => createAsset('text/html', notFoundPage(site, documents))),
  };
};

const memoizeEach = (assets: readonly AssetAt[]): readonly AssetAt[] =>
  assets.map(([path, create]) => [path, memoizeAsync(create)]);

/** @returns what lists the modules that scripts import, themselves left out */
const readModules = async (files: readonly AssetAt[]) => {
  const modules = files.filter(([path]) => /\.[jt]s$/.test(path));
  const texts = new Map(
    await Promise.all(
      modules.map(async ([path, create]) => [path, `${(await create()).identity.bytes}`] as const),
    ),
  );
  return (scripts: readonly string[]): readonly string[] =>
    moduleGraph(scripts, (path) => texts.get(path)).filter((path) => !scripts.includes(path));
};

/** Scripts that import each other stay in their folder. */
const assetName = (file: string): string => /(try-it\/)?[^/]+$/.exec(file)?.[0] ?? '';
