import { withTimeout } from '#adapters/support/timeout.ts';
import { ApplicationError } from '#application/errors.ts';
import type { AdapterModule } from '../config/adapter-module.ts';
import { SettingError } from '../config/env-parser.ts';

/**
 * The version of the ports that a module from outside is written for. It stays 0 until the ports have events; a module of
 * another version is rejected.
 */
const apiVersion = 0;

type TypeName = 'function' | 'string' | 'number' | 'boolean' | 'object';

/** The parts of an adapter, each with its type. A name may lead to a part of a part (`unitOfWork.run`). */
export type Parts = Readonly<Record<string, TypeName | `${TypeName}?`>>;

/** What a module exports. */
type Exports = Readonly<Record<string, unknown>>;

/**
 * Imports a module from outside Portico, and checks that it exports `apiVersion` and its factory.
 * @returns everything that it exports
 * @throws SettingError of one line, when it cannot be imported or lacks one of the two
 */
export const loadModule = async (module: AdapterModule): Promise<Exports> => {
  const loaded = await importModule(module);
  const { setting, file, factory } = module;
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
 * Loads a module and opens its adapter. An adapter that lacks a part is closed again.
 * @param dependencies what the factory gets; it returns the adapter or a promise of it
 * @param parts what the adapter must have
 * @throws SettingError of one line, when the module cannot be used, its factory throws, or a part is missing
 * @throws ApplicationError when the factory throws it
 */
export const openAdapter = async <Adapter extends object>(
  module: AdapterModule,
  dependencies: object,
  parts: Parts & Readonly<Record<RequiredKeys<Adapter>, TypeName>>,
): Promise<Adapter> => {
  const { [module.factory]: factory } = await loadModule(module);
  const open = async () => (factory as (given: object) => unknown)(dependencies);
  const adapter = await open().catch((error: unknown) => Promise.reject(factoryError(module, error)));
  try {
    requireParts(module, `whose ${module.factory} must return an object with`, adapter, parts);
  } catch (error) {
    await closeIfPossible(adapter);
    throw error;
  }
  return adapter as Adapter;
};

/** How long an adapter that cannot be used may take to close. */
const closeTimeoutMs = 1_000;

/** Its own errors are ignored: the missing part is what to report. */
const closeIfPossible = (adapter: unknown): Promise<unknown> => {
  const close = async () => (adapter as { close?(): unknown } | null | undefined)?.close?.();
  return withTimeout(
    closeTimeoutMs,
    close().catch(() => undefined),
    undefined,
  );
};

type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K & string }[keyof T];

/**
 * Checks what a module exports or returns.
 * @param parts those with a question mark may be undefined
 * @throws SettingError that names the first part that is missing or wrong
 */
const requireParts = (
  { setting, file }: AdapterModule,
  where: string,
  value: unknown,
  parts: Parts,
): void => {
  for (const [name, expected] of Object.entries(parts)) {
    const part = name.split('.').reduce((of, key) => (of as Exports | null | undefined)?.[key], value);
    const type = expected.replace('?', '');
    if ((typeof part === type && part !== null) || (part === undefined && type !== expected)) continue;
    const kind = { function: 'a function', object: 'an object' }[type] ?? `a ${type}`;
    throw new SettingError(setting, `names ${file}, ${where} ${name}, ${kind}.`);
  }
};

/** @returns what a factory has thrown when that is an ApplicationError, and otherwise a SettingError of one line */
export const factoryError = ({ setting, file, factory }: AdapterModule, error: unknown): Error =>
  error instanceof ApplicationError
    ? error
    : new SettingError(setting, `names ${file}, whose ${factory} failed: ${oneLine(error)}`);

const importModule = async ({ setting, file, url }: AdapterModule): Promise<Exports> => {
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
