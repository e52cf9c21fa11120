import { readFileSync, statSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { anyText, type Environment, parseSetting, SettingError } from './env-parser.ts';
import { exportedTarget } from './package-exports.ts';

/** The settings that name modules from outside Portico, and the function that each module exports beside `apiVersion`. */
const factories = {
  PERSISTENCE_ADAPTER: 'openStore',
  PAYMENT_PROVIDER: 'openPaymentProvider',
  AUTHENTICATOR: 'openAuthenticator',
  RATE_LIMITER: 'openRateLimiter',
  USE_CASES: 'decorate',
} as const;

export type ModuleSetting = keyof typeof factories;

/** A module from outside Portico that a setting names. */
export interface AdapterModule {
  readonly setting: ModuleSetting;
  /** The name of the function that it exports. */
  readonly factory: string;
  /** The path of its file, as errors show it. */
  readonly file: string;
  /** The `file:` URL to import. */
  readonly url: string;
}

/** Reads a setting that names a module, or is not set. @throws SettingError when there is no such module */
export const readAdapterModule = (
  environment: Environment,
  setting: ModuleSetting,
): AdapterModule | undefined => {
  const text = parseSetting(environment, setting, 'a path or a package', anyText, undefined);
  return text === undefined ? undefined : findAdapterModule(setting, text);
};

/**
 * Finds the file of a module: a path such as `./my-store.ts`, its `file:` URL, or an installed package. Paths and packages are
 * looked up from the working folder.
 * @param others values of the setting that name no module, for the error: `sandbox or stripe`
 * @throws SettingError which shows a path, but no other value, because that may be a secret under the wrong name
 */
export const findAdapterModule = (setting: ModuleSetting, text: string, others?: string): AdapterModule => {
  const file = isPath(text) ? resolve(text) : (fileOfUrl(text) ?? fileOfPackage(text));
  if (file === undefined) {
    // What exists is a file, and no secret.
    if (isFile(text))
      throw new SettingError(setting, `names a package. To name the file, set it to ./${text}.`);
    const packages = `the path of a module that begins with ./, or a package: no package of that name is installed for ${process.cwd()}`;
    throw new SettingError(setting, `must be ${others === undefined ? '' : `${others}, `}${packages}.`);
  }
  if (!isFile(file)) {
    throw new SettingError(setting, `names ${file}, which is no file. Set the path of a module.`);
  }
  return { setting, factory: factories[setting], file: shortest(file), url: pathToFileURL(file).href };
};

/** The same module, named by another setting, whose function it exports. */
export const moduleFor = (module: AdapterModule, setting: ModuleSetting): AdapterModule => ({
  ...module,
  setting,
  factory: factories[setting],
});

const isPath = (text: string): boolean => /^\.{1,2}[/\\]/.test(text) || isAbsolute(text);

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Undefined for any other URL or text. */
const fileOfUrl = (text: string): string | undefined => {
  try {
    return /^file:/i.test(text) ? fileURLToPath(text) : undefined;
  } catch {
    return undefined;
  }
};

const shortest = (file: string): string => {
  const fromHere = relative(process.cwd(), file);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? file : fromHere;
};

const packagePattern = /^((?:@[a-z0-9-~][\w.~-]*\/)?[a-z0-9-~][\w.~-]*)((?:\/[\w.~-]+)*)$/i;

/**
 * The file that `import` of a package in the working folder would load. `createRequire` alone cannot find it: it rejects a
 * package whose `exports` are for `import` only.
 */
const fileOfPackage = (specifier: string): string | undefined => {
  const [, name, subpath = ''] = packagePattern.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const importer = join(process.cwd(), 'package.json');
  try {
    const description = findPackageJSON(name, pathToFileURL(importer));
    if (description === undefined) return undefined;
    const { exports: entries } = JSON.parse(readFileSync(description, 'utf8')) as { exports?: unknown };
    if (entries === undefined) return createRequire(importer).resolve(specifier);
    const target = exportedTarget(entries, `.${subpath}`);
    return target === undefined ? undefined : join(dirname(description), target);
  } catch {
    return undefined;
  }
};
