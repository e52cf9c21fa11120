import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type Asset, createAsset } from './responses.ts';

/** An asset by its path on the server, created on its first request. */
export type AssetAt = readonly [path: string, create: () => Promise<Asset>];

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/** Lists the files of a folder, those of folders below it included. */
export const listFiles = async (folder: URL): Promise<readonly URL[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => pathToFileURL(`${parentPath}/${name}`));
};

/** What every stylesheet `page.css` begins with. */
const baseStyles = new URL('base.css', import.meta.url);

export const fileAt = (path: string, file: URL): AssetAt => {
  const type = mediaTypes[file.pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  const parts = file.pathname.endsWith('/page.css') ? [baseStyles, file] : [file];
  return [
    path,
    async () => createAsset(type, Buffer.concat(await Promise.all(parts.map((part) => readFile(part))))),
  ];
};
