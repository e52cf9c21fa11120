import { inspect, stripVTControlCharacters } from 'node:util';
import { ApplicationError, UnavailableError } from '#application/errors.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import { SettingError } from '../../config/env-parser.ts';
import { secretsInUrl } from '../../config/url-secrets.ts';

/**
 * @param given what the factory got; the secrets of the URLs in it are not shown
 * @returns what a factory has thrown when that is an ApplicationError, and otherwise a SettingError of one line
 */
export const factoryError = (
  { setting, file, factory }: AdapterModule,
  error: unknown,
  given: object = {},
): Error => {
  const redact = redactUrls(given);
  if (error instanceof UnavailableError) return redactedUnavailable(error, redact);
  if (error instanceof ApplicationError) return error;
  const advice = `names ${file}, whose ${factory} failed: ${redact(reasonOf(error))}`;
  return new SettingError(setting, advice, redact(inspect(error)));
};

/** The error of a module that cannot be imported, with the remedy. */
export const importError = ({ setting, file }: AdapterModule, error: unknown): SettingError => {
  const redact = redactUrls({});
  return new SettingError(setting, `names ${file}, ${redact(importAdvice(error))}`, redact(inspect(error)));
};

/** The line for code of a module that ends the process. @param what the code is, behind the name of the file */
export const exitLine = ({ setting, file }: AdapterModule, what: string): string =>
  `${setting} names ${file}, ${what} has ended the process: throw an error instead.`;

/** The reason is shown in place of the error, so it must not hold what the URL keeps secret either. */
const redactedUnavailable = (error: UnavailableError, redact: (text: string) => string): UnavailableError => {
  if (error.cause === undefined) return error;
  return new UnavailableError(error.reason, new Error(redact(reasonOf(error.cause)).replace(/\.$/, '')));
};

/** What is wrong with a module that cannot be imported, and the remedy. The codes are Node's. */
const importAdvice = (error: unknown): string => {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return 'which loads TypeScript inside node_modules. Node runs that only outside: build it to JavaScript, or move it out of node_modules.';
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return `which uses TypeScript that Node cannot erase, such as enums and parameter properties. Set erasableSyntaxOnly and rewrite it: ${reasonWithPlace(error)}`;
    case 'ERR_INVALID_TYPESCRIPT_SYNTAX':
      return `which has a syntax error. Fix it: ${reasonWithPlace(error)}`;
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return 'which is no JavaScript or TypeScript. Name a file that ends with .ts, .mts, .js or .mjs.';
    case 'ERR_MODULE_NOT_FOUND':
    case 'ERR_PACKAGE_PATH_NOT_EXPORTED':
      return `which imports something that is missing. Install it, or fix the import: ${reasonOf(error)}`;
  }
  return error instanceof SyntaxError
    ? `which has a syntax error. Fix it: ${reasonOf(error)}`
    : `which threw while it was loaded. Fix it: ${reasonOf(error)}`;
};

/** Node begins the stack of such an error with the file and the line, which may be those of a file that is imported. */
const reasonWithPlace = (error: unknown): string => {
  const place = /^file:\/\/(\S+:\d+)\n/.exec((error as Error).stack ?? '')?.[1];
  return place === undefined ? reasonOf(error) : reasonOf(error).replace(/\.$/, ` at ${decodeURI(place)}.`);
};

const maxReasonLength = 300;

/** @returns one line without control characters, which ends with a full stop */
const reasonOf = (error: unknown): string => {
  const text = stripVTControlCharacters(messageOf(error))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (text.length > maxReasonLength) return `${text.slice(0, maxReasonLength)}… (shortened).`;
  return `${text.replace(/\.$/, '')}.`;
};

/** Whatever has been thrown. An object may hold secrets, such as headers, so only its message is shown. */
const messageOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return String(error) || 'an empty text was thrown';
  const { message, errors, cause } = error as Partial<AggregateError>;
  const own = typeof message === 'string' ? message : '';
  const parts = Array.isArray(errors) ? errors : cause instanceof Error ? [cause] : [];
  const others = parts.map(messageOf).filter((text) => !own.includes(text));
  const text = [own, others.join('; ')].filter((part) => part !== '').join(': ');
  if (text !== '') return text;
  return error instanceof Error
    ? `${error.name} without a message`
    : 'an object without a message was thrown';
};

/** Hides the credentials of every URL in a text, and the secrets of the given ones wherever they stand. */
const redactUrls = (given: object): ((text: string) => string) => {
  const secrets = Object.values(given).flatMap((value) =>
    typeof value === 'string' ? secretsInUrl(value) : [],
  );
  return (text) =>
    secrets
      .reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text)
      .replaceAll(/(:\/\/[^\s/?#:@]*:)[^\s/?#]+@/g, '$1…@');
};
