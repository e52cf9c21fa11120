import { type AssetAt, fileAt } from './browser-files.ts';

/** What of lit-html the pages import. Its modules import each other by relative paths, so a browser loads them as they are. */
const modules = ['lit-html', 'directive', 'directive-helpers', 'directives/live', 'directives/repeat'];

/** @param path of the folder on the server: `lit-html` */
export const litFiles = (path: string): readonly AssetAt[] => {
  const folder = litFolder();
  return modules.map((name) => fileAt(`${path}/${name}.js`, new URL(`${name}.js`, folder)));
};

/** Node resolves the package to a variant for servers in a folder below. */
const litFolder = (): URL => {
  const folder = '/lit-html/';
  const { href } = new URL(import.meta.resolve('lit-html'));
  return new URL(href.slice(0, href.lastIndexOf(folder) + folder.length));
};
