import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { type AssetAt, fileAt, listFiles } from './browser-files.ts';
import { createAsset } from './responses.ts';

/** How the names of modules end, as those of the server itself do: `.ts` in a clone, `.js` in the package. */
export const moduleExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/**
 * The files of a folder whose modules run in a browser. In a clone they are TypeScript, whose types are removed on the first
 * request; in the package they are JavaScript. Both import each other by the names that they have here.
 * @param pathOf returns the path on the server of a file, by its path in the folder
 */
export const moduleFiles = async (
  folder: URL,
  pathOf: (file: string) => string,
): Promise<readonly AssetAt[]> => {
  const files = (await listFiles(folder)).filter(({ pathname }) => !pathname.endsWith('.d.ts'));
  const modules = files.filter(({ pathname }) => pathname.endsWith('.ts'));
  const readModules = memoizeAsync(async () =>
    stripTypes(await Promise.all(modules.map((file) => readFile(file, 'utf8')))),
  );
  return files.map((file): AssetAt => {
    const path = pathOf(file.href.slice(folder.href.length));
    const index = modules.indexOf(file);
    if (index < 0) return fileAt(path, file);
    return [path, async () => createAsset('text/javascript', (await readModules())[index] ?? '')];
  });
};

const stripTypes = async (sources: readonly string[]): Promise<readonly string[]> => {
  if (sources.length === 0) return [];
  const worker = new Worker(new URL('strip-types.ts', import.meta.url), {
    workerData: sources,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [stripped] = await once(worker, 'message');
  return stripped;
};
