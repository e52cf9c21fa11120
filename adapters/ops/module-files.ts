import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { type AssetAt, listFiles } from './browser-files.ts';
import { createAsset } from './responses.ts';

/**
 * Modules of the server, for a browser too. In a clone they are TypeScript, whose types are removed; in the package they are
 * JavaScript.
 * @param path of the folder on the server: `client`
 * @returns `index.js` and the modules that it imports, by the names by which they import each other
 */
export const moduleFiles = async (path: string, folder: URL): Promise<readonly AssetAt[]> => {
  const files = (await listFiles(folder)).filter(({ pathname }) => /(?<!\.d)\.[jt]s$/.test(pathname));
  const read = memoizeAsync(async () => {
    const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return files.some(({ pathname }) => pathname.endsWith('.ts')) ? await stripTypes(sources) : sources;
  });
  return files.flatMap(({ pathname }, index): readonly AssetAt[] => {
    const name = pathname.split('/').at(-1) ?? '';
    const create = async () => createAsset('text/javascript', (await read())[index] ?? '');
    // One name of the first module for the page, whatever its form.
    const names = name === 'index.ts' ? [name, 'index.js'] : [name];
    return names.map((each) => [`${path}/${each}`, create]);
  });
};

const stripTypes = async (sources: readonly string[]): Promise<readonly string[]> => {
  const worker = new Worker(new URL('strip-types.ts', import.meta.url), {
    workerData: sources,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [stripped] = await once(worker, 'message');
  return stripped;
};
