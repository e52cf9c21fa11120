import type { Document } from '#adapters/ops/docs/reference/document.ts';
import { readSite } from '#adapters/ops/docs/site.ts';
import { createAsset } from '#adapters/ops/responses.ts';
import { served } from '../../http/support/described.ts';

/** The OpenAPI document of this version. */
export const document = served as unknown as Document;

/** Renders the pages of the reference of a document. @returns the HTML of each, by its path */
export const renderReference = async (described: unknown): Promise<ReadonlyMap<string, string>> => {
  const site = { version: '1', apiUrl: undefined, canSend: true, hasKeys: false };
  const { assets } = await readSite(site, () => createAsset('application/json', JSON.stringify(described)));
  const paths = [...assets.keys()].filter((path) => /^\/docs(\/reference\/[\w-]+)?$/.test(path));
  const pages = paths.map(async (path) => [path, `${(await assets.get(path)?.())?.identity.bytes}`] as const);
  return new Map(await Promise.all(pages));
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What a reader reads: without tags, and with one space where there is any. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ');
