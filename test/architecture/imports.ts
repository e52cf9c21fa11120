import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** An import. Files are named from the root of the repository. */
export interface Import {
  readonly from: string;
  /** A file of the repository, or the name of a package. */
  readonly of: string;
}

/** Every way to get hold of a module, `import.meta.resolve` included. */
const statement =
  /(?<!['"])(?:from|import|require|getBuiltinModule|import\.meta\.resolve|createRequire\([^)]*\))\s*\(?\s*['"]([^'"]+)['"]/g;

/** A line of a comment: an example in it imports what its reader would. */
const commentLine = /^ *\*.*$/gm;

export const importsIn = (file: string, source: string): Import[] =>
  [...source.replaceAll(commentLine, '').matchAll(statement)].map(([, target = '']) => ({
    from: file,
    of: resolve(file, target),
  }));

const resolve = (file: string, target: string): string => {
  if (target.startsWith('#')) return target.slice(1);
  return target.startsWith('.') ? normalize(join(dirname(file), target)) : target;
};

export const sources = (): { readonly file: string; readonly source: string }[] =>
  globSync('{domain,application,adapters,bootstrap}/**/*.{ts,mjs}').map((file) => ({
    file,
    source: readFileSync(file, 'utf8'),
  }));

/** Packages that only `bootstrap` may import. */
const container = ['inversify', 'reflect-metadata'];

/** Lists the imports that break the rules of CONTRIBUTING.md. */
export const breaches = (imports: readonly Import[]): string[] =>
  imports.filter((one) => !isAllowed(one)).map(({ from, of }) => `${from} imports ${of}`);

const isAllowed = ({ from, of }: Import): boolean => {
  if (of.startsWith('test/')) return false;
  switch (from.split('/')[0]) {
    case 'domain':
      return of.startsWith('domain/');
    case 'application':
      return of.startsWith('domain/') || of.startsWith('application/');
    case 'adapters':
      return isAllowedToAdapter(from, of);
    default:
      return true;
  }
};

const isAllowedToAdapter = (from: string, of: string): boolean => {
  if (from.startsWith(browserRoom)) return of.startsWith(browserRoom);
  if (of.startsWith('bootstrap/') || container.includes(of)) return false;
  if (!of.startsWith('adapters/')) return true;
  const own = adapterOf(from);
  const other = adapterOf(of);
  return own !== undefined && (own === other || (sharedBy[other ?? ''] ?? (() => false))(own));
};

/** Runs in a browser, too, so it imports nothing else: no module of Node, no package, no domain. */
const browserRoom = 'adapters/product-files/';

/** Each kind of store but memory. */
const sqlStores = globSync('adapters/persistence/*/kind.ts')
  .map((file) => dirname(file))
  .filter((folder) => !folder.endsWith('/memory'));

/** The rooms that other adapters may import, and which adapters may. */
const sharedBy: Readonly<Record<string, (adapter: string) => boolean>> = {
  'adapters/support': () => true,
  'adapters/product-files': (adapter) => adapter === 'adapters/ops',
  'adapters/wire': (adapter) => adapter === 'adapters/http',
  'adapters/persistence': (adapter) => adapter.startsWith('adapters/persistence/'),
  'adapters/persistence/schema': (adapter) => ['adapters/persistence/sql', ...sqlStores].includes(adapter),
  'adapters/persistence/sql': (adapter) => sqlStores.includes(adapter),
};

/**
 * `adapters/http/v1/orders.ts` belongs to `adapters/http`. In persistence each folder is an adapter of its own, and the files
 * beside these folders are a room that all of them share. A file at the top of `adapters` belongs to none.
 */
const adapterOf = (file: string): string | undefined => {
  const folders = file.split('/').slice(0, -1);
  if (folders.length < 2) return undefined;
  return folders.slice(0, folders[1] === 'persistence' ? 3 : 2).join('/');
};

/**
 * Import cycles among the files of the project, each as its files in alphabetical order: the strongly connected components
 * of the graph (Tarjan). Type-only imports count, because two files that need each other's types are one idea.
 */
export const cyclesIn = (imports: readonly Import[]): string[][] => {
  const imported = Map.groupBy(imports, ({ from }) => from);
  const numbers = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    numbers.set(file, number);
    stack.push(file);
    let low = number;
    for (const { of } of imported.get(file) ?? []) {
      if (of === file) cycles.push([file]);
      else if (!numbers.has(of)) low = Math.min(low, visit(of));
      else if (stack.includes(of)) low = Math.min(low, numbers.get(of) ?? low);
    }
    if (low === number) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1) cycles.push(component.sort());
    }
    return low;
  };
  for (const file of imported.keys()) if (!numbers.has(file)) visit(file);
  return cycles;
};

/**
 * Pairs of folders that import each other, as `first <-> second` in alphabetical order: neither can be read or moved without the
 * other. A folder and one inside it are no pair.
 */
export const entangledFolders = (imports: readonly Import[]): string[] => {
  const edges = new Set(
    imports.filter(({ of }) => isOwn(of)).map(({ from, of }) => `${dirname(from)} <-> ${dirname(of)}`),
  );
  return [...edges]
    .filter((edge) => {
      const [first = '', second = ''] = edge.split(' <-> ');
      return first < second && !second.startsWith(`${first}/`) && edges.has(`${second} <-> ${first}`);
    })
    .sort();
};

/** Whether an import names a production file, and no package. */
const isOwn = (of: string): boolean => /^(domain|application|adapters|bootstrap)\//.test(of);
