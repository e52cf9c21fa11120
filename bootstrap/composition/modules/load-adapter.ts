import { withTimeout } from '#adapters/support/timeout.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import { SettingError } from '../../config/env-parser.ts';
import { guardExit } from '../../process/exit-guard.ts';
import { exitLine, factoryError, importError } from './module-errors.ts';

/**
 * The version of the ports that a module from outside is written for. It stays 0 until the ports have events; a module of
 * another version is rejected.
 */
const apiVersion = 0;

type TypeName = 'function' | 'string' | 'number' | 'boolean' | 'object';

/** The parts of an adapter, each with its type. A name may lead to a part of a part (`unitOfWork.run`). */
export type Parts = Readonly<Record<string, TypeName | `${TypeName}?`>>;

/** What a module exports. */
export type Exports = Readonly<Record<string, unknown>>;

/**
 * Imports a module from outside Portico, and checks that it exports `apiVersion`.
 * @returns everything that it exports
 * @throws SettingError of one line, when it cannot be imported or has another version
 */
export const loadExports = async (module: AdapterModule): Promise<Exports> => {
  const { setting, file, url } = module;
  const importing = settle<Exports>(module, 'which', () => import(url));
  const loaded = await importing.catch((error: unknown) => {
    throw error instanceof SettingError ? error : importError(module, error);
  });
  const { apiVersion: version } = loaded;
  if (version === apiVersion) return loaded;
  const actual = typeof version === 'number' ? `, not ${version}` : '';
  throw new SettingError(
    setting,
    `names ${file}, which must export apiVersion ${apiVersion}${actual}: add export const apiVersion = ${apiVersion}.`,
  );
};

/** Like `loadExports`, and checks that the module exports its factory. */
export const loadModule = async (module: AdapterModule): Promise<Exports> => {
  const loaded = await loadExports(module);
  requireParts(module, 'which must export', loaded, { [module.factory]: 'function' });
  return loaded;
};

/**
 * Loads a module and opens its adapter. An adapter that lacks a part is closed again.
 * @param dependencies what the factory gets; it returns the adapter or a promise of it
 * @param parts what the adapter must have
 * @param timeoutMs of the factory, in milliseconds
 * @throws SettingError of one line, when the module cannot be used, its factory throws or takes too long, or a part is missing
 * @throws ApplicationError when the factory throws it
 */
export const openAdapter = async <Adapter extends object>(
  module: AdapterModule,
  dependencies: object,
  parts: Parts & Readonly<Record<RequiredKeys<Adapter>, TypeName>>,
  timeoutMs = settleTimeoutMs,
): Promise<Adapter> => {
  const { [module.factory]: factory } = await loadModule(module);
  const adapter = await callFactory(module, factory, dependencies, timeoutMs);
  try {
    requireParts(module, `whose ${module.factory} must return an object with`, adapter, parts);
  } catch (error) {
    await closeIfPossible(adapter);
    throw error;
  }
  return adapter as Adapter;
};

/**
 * Calls a function that a module exports.
 * @returns what it returns, or what its promise resolves with
 * @throws SettingError of one line, or an ApplicationError that it throws
 */
export const callFactory = async (
  module: AdapterModule,
  factory: unknown,
  given: object,
  timeoutMs = settleTimeoutMs,
): Promise<unknown> => {
  const call = async () => (factory as (options: object) => unknown)(given);
  try {
    return await settle(module, `whose ${module.factory}`, call, { timeoutMs, onLate: closeIfPossible });
  } catch (error) {
    throw error instanceof SettingError ? error : factoryError(module, error, given);
  }
};

/** Long enough for a database that is slow to respond. Without a limit a start would hang silently. */
const settleTimeoutMs = 60_000;

/**
 * The longest that a timer allows, in milliseconds: a copy or a migration takes as long as the database is large, and the
 * operator who has begun it can interrupt it.
 */
export const longestTimeoutMs = 2 ** 31 - 1;

interface SettleOptions<T> {
  /** In milliseconds. */
  readonly timeoutMs?: number;
  /** Gets what the code returns after the timeout. */
  readonly onLate?: (result: T) => unknown;
}

/**
 * Awaits code of a module, at most so long.
 * @param what the code is, behind the name of the file
 * @throws SettingError after the timeout; otherwise what the code throws
 */
const settle = async <T>(
  module: AdapterModule,
  what: string,
  run: () => Promise<T>,
  { timeoutMs = settleTimeoutMs, onLate }: SettleOptions<T> = {},
): Promise<T> => {
  const endGuard = guardExit(exitLine(module, what));
  try {
    const running = run();
    const outcome = await withTimeout(timeoutMs, running, timedOut);
    if (outcome !== timedOut) return outcome;
    running.then(onLate, () => undefined);
    const remedy = 'Let it resolve, or reject with an error.';
    const { setting, file } = module;
    throw new SettingError(
      setting,
      `names ${file}, ${what} is not done after ${timeoutMs / 1_000} s. ${remedy}`,
    );
  } finally {
    endGuard();
  }
};

const timedOut: unique symbol = Symbol('timed out');

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
