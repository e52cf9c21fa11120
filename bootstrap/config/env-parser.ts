import { readSecretFile, secretSettings } from './secret-file.ts';

/** A setting that cannot be used. The message is the one line that the operator reads; it never holds a secret. */
export class SettingError extends Error {
  /** The stack of what a module from outside has thrown, which is shown with `LOG_LEVEL=debug`. */
  readonly details: string | undefined;

  /** @param advice what is wrong and what to set instead, without the name: `must be 1 or 0.` */
  constructor(name: string, advice: string, details?: string) {
    super(`${name} ${advice}`);
    this.name = 'SettingError';
    this.details = details;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined when the text is not a value of the setting. */
type Parse<A> = (text: string) => A | undefined;

/** Tools such as `docker run --env-file` keep quotes as a part of the value. */
const keptQuotes = /^\s*(["'`]).*\1\s*$/s;

/**
 * Reads a setting as a text: the only place that reads the environment of Portico. A secret may be in the file that
 * `<name>_FILE` names.
 * @returns undefined when it is not set, or empty
 * @throws SettingError for a value in quotes or with its own name before it, and for a file that cannot be used
 */
export const readText = (environment: Environment, name: string): string | undefined => {
  const text = secretSettings.has(name) ? readSecret(environment, name) : environment[name];
  if (text === undefined || text === '') return undefined;
  if (keptQuotes.test(text)) {
    throw new SettingError(
      sourceOf(environment, name),
      'must not begin and end with a quote. Remove both: tools such as docker run --env-file keep them as a part of the value.',
    );
  }
  if (text.trimStart().startsWith(`${name}=`)) {
    throw new SettingError(
      sourceOf(environment, name),
      `must be the value alone. Remove ${name}= at its beginning.`,
    );
  }
  return text;
};

const readSecret = (environment: Environment, name: string): string | undefined => {
  const fileName = `${name}_FILE`;
  const file = readText(environment, fileName);
  const text = environment[name];
  if (file === undefined) return text;
  if (text !== undefined && text !== '') {
    throw new SettingError(
      fileName,
      `must not be set where ${name} is. Remove one of them, or set it to an empty text.`,
    );
  }
  const read = readSecretFile(file);
  if ('problem' in read) throw new SettingError(fileName, read.problem);
  return read.value;
};

/** The name of a setting for errors, with the file that its value is from. */
const sourceOf = (environment: Environment, name: string): string => {
  const file = secretSettings.has(name) ? environment[`${name}_FILE`] : undefined;
  return file ? `${name}, read from ${file},` : name;
};

/**
 * Parses a setting. An empty value counts as not set.
 * @param expected the end of "must be ...", for the error
 * @throws SettingError that does not show the value, which may be a secret under the wrong name
 */
export const parseSetting = <A, B>(
  environment: Environment,
  name: string,
  expected: string,
  parse: Parse<A>,
  fallback: B,
): A | B => {
  const text = readText(environment, name);
  if (text === undefined) return fallback;
  const value = parse(text);
  if (value === undefined) {
    const advice = invisibleEnd.test(text) ? ` ${invisibleAdvice}` : '';
    throw new SettingError(sourceOf(environment, name), `must be ${expected}.${advice}`);
  }
  return value;
};

/** White space, a control character or one without a width: a reader of the value does not see it. */
const invisibleEnd = /^[\p{Cc}\p{Cf}\p{Z}]|[\p{Cc}\p{Cf}\p{Z}]$/u;

const invisibleAdvice =
  'Its value begins or ends with a space or an invisible character, such as the CR of a file with Windows line ends. Remove it.';

/**
 * Parses a whole number from `min` to `max`, both included.
 * @param unit of the number, for the error: ` of milliseconds`
 * @throws SettingError that shows the value if that is a number
 */
export const parseInteger = (
  environment: Environment,
  name: string,
  { min, max, unit = '' }: { readonly min: number; readonly max: number; readonly unit?: string },
  fallback: number,
): number => {
  const text = readText(environment, name) ?? '';
  const actual = /^-?\d{1,15}$/.test(text) ? `, not ${text}` : '';
  const expected = `a whole number${unit} from ${min} to ${max}${actual}`;
  return parseSetting(environment, name, expected, integerBetween(min, max), fallback);
};

export const anyText: Parse<string> = (text) => text;

/** Parses the address that a listener listens on; 127.0.0.1 by default. */
export const readHost = (environment: Environment, name: string): string =>
  parseSetting(environment, name, 'an address or a host name', anyText, '127.0.0.1');

/** Printable ASCII without spaces. */
export const visibleAscii =
  (minLength: number, maxLength: number): Parse<string> =>
  (text) =>
    /^[\x21-\x7e]+$/.test(text) && text.length >= minLength && text.length <= maxLength ? text : undefined;

export const integerBetween =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };

export const decimal: Parse<number> = (text) =>
  /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;

export const oneOf =
  <const V extends string>(values: readonly V[]): Parse<V> =>
  (text) =>
    values.find((value) => value === text);

export const zeroOrOne: Parse<boolean> = (text) => (text === '1' ? true : text === '0' ? false : undefined);

/** Whether only this machine reaches that host, so that plain HTTP to it cannot be intercepted. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** A URL with HTTPS, or with plain HTTP to this machine. */
export const secureUrl: Parse<URL> = (text) => {
  const url = URL.parse(text);
  if (url === null) return undefined;
  const host = hostOf(url);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host)) ? url : undefined;
};
