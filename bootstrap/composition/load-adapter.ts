import { ApplicationError } from '#application/errors.ts';
import type { AdapterModule } from '../config/adapter-module.ts';
import { SettingError } from '../config/env-parser.ts';

/**
 * The version of the ports that a module from outside is written for. It stays 0 until the ports have events; a module of
 * another version is rejected.
 */
export const apiVersion = 0;

type TypeName = 'function' | 'string' | 'number' | 'boolean' | 'object';

/** The parts that an adapter must have, with the type of each. */
export type Parts = Readonly<Record<string, TypeName>>;

/**
 * Imports a module from outside Portico, and checks what it exports.
 * @param factory the name of the function that it must export
 * @returns everything that it exports
 * @throws SettingError of one line, when it cannot be imported or lacks one of the two
 */
export const loadModule = async (
  module: AdapterModule,
  factory: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const loaded = await importModule(module);
  const { setting, file } = module;
  const { apiVersion: version } = loaded;
  if (version !== apiVersion) {
    const actual = typeof version === 'number' ? `, not ${version}` : '';
    throw new SettingError(
      setting,
      `names ${file}, which must export apiVersion ${apiVersion}${actual}: add export const apiVersion = ${apiVersion}.`,
    );
  }
  requireParts(module, 'which must export', loaded, { [factory]: 'function' });
  return loaded;
};

/**
 * Loads a module and opens its adapter.
 * @param factory the name of the function that it exports, which gets `dependencies` and returns the adapter or a promise of it
 * @param parts what the adapter must have
 * @throws SettingError of one line, when the module cannot be used, its factory throws, or a part is missing
 * @throws ApplicationError when the factory throws it
 */
export const openAdapter = async <Adapter extends object>(
  module: AdapterModule,
  factory: string,
  dependencies: object,
  parts: Parts & Readonly<Record<RequiredKeys<Adapter>, TypeName>>,
): Promise<Adapter> => {
  const { [factory]: open } = await loadModule(module, factory);
  const adapter = await callFactory(module, factory, () =>
    (open as (given: object) => unknown)(dependencies),
  );
  requireParts(module, `whose ${factory} must return an object with`, adapter, parts);
  return adapter as Adapter;
};

type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K & string }[keyof T];

/** Checks what a module exports or returns. @throws SettingError that names the first part that is missing or wrong */
export const requireParts = (
  { setting, file }: AdapterModule,
  where: string,
  value: unknown,
  parts: Parts,
): void => {
  for (const [name, type] of Object.entries(parts)) {
    const part = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    if (typeof part === type && part !== null) continue;
    const kind = { function: 'a function', object: 'an object' }[type as string] ?? `a ${type}`;
    throw new SettingError(setting, `names ${file}, ${where} ${name}, ${kind}.`);
  }
};

const callFactory = async (
  { setting, file }: AdapterModule,
  factory: string,
  call: () => unknown,
): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof SettingError || error instanceof ApplicationError) throw error;
    throw new SettingError(setting, `names ${file}, whose ${factory} failed: ${oneLine(error)}`);
  }
};

const importModule = async ({
  setting,
  file,
  url,
}: AdapterModule): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return await import(url);
  } catch (error) {
    throw new SettingError(setting, `names ${file}, ${importAdvice(error)}`);
  }
};

/** What is wrong with a module that cannot be imported, and the remedy. The codes are Node's. */
const importAdvice = (error: unknown): string => {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return 'which loads TypeScript inside node_modules. Node runs that only outside: build it to JavaScript, or move it out of node_modules.';
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return `which uses TypeScript that Node cannot erase, such as enums and parameter properties. Set erasableSyntaxOnly and rewrite it: ${oneLine(error)}`;
    case 'ERR_INVALID_TYPESCRIPT_SYNTAX':
      return `which has a syntax error. Fix it: ${oneLine(error)}`;
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return 'which is no JavaScript or TypeScript. Name a file that ends with .ts, .mts, .js or .mjs.';
    case 'ERR_MODULE_NOT_FOUND':
    case 'ERR_PACKAGE_PATH_NOT_EXPORTED':
      return `which imports something that is missing. Install it, or fix the import: ${oneLine(error)}`;
  }
  return error instanceof SyntaxError
    ? `which has a syntax error. Fix it: ${oneLine(error)}`
    : `which threw while it was loaded. Fix it: ${oneLine(error)}`;
};

const maxReasonLength = 500;

const oneLine = (error: unknown): string => {
  const text = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
  return `${text.slice(0, maxReasonLength).replace(/\.$/, '')}.`;
};
