import { statSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { readSmallFileSync } from '#adapters/system/certificate.ts';

/** The settings that hold secrets. Each can also be read from a file, which `<name>_FILE` names. */
export const secretSettings: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'ADMIN_API_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'SECRETS_KEY',
]);

/**
 * Reads a file that holds nothing but the value of a setting, as Docker, Kubernetes and systemd hand secrets over. Line breaks
 * at its end are omitted.
 * @returns the value, or what is wrong, behind the name of the setting
 */
export const readSecretFile = (path: string): { readonly value: string } | { readonly problem: string } => {
  const shown = shownPath(path);
  if (shown === undefined) {
    return { problem: 'must be the path of a file, not the value itself. Write ./ before a relative path.' };
  }
  let text: string;
  try {
    text = readSmallFileSync(path).replace(/^\ufeff/, '');
  } catch (error) {
    return { problem: `must name a regular file that this user can read, not ${shown}${reasonOf(error)}.` };
  }
  const value = text.replace(/[\r\n]+$/, '');
  const problem = contentProblem(value);
  return problem === undefined ? { value } : { problem: `must not name ${shown}, ${problem}` };
};

const contentProblem = (value: string): string | undefined => {
  if (value === '') return 'which is empty. Write the value into it.';
  if (/[\r\n]/.test(value)) return 'which has several lines. Write nothing but the value into it.';
  return /[\0\ufffd]/.test(value) ? 'which is no text in UTF-8. Save it in that encoding.' : undefined;
};

/** A value in place of a path may be the secret, which an error must not show. */
const shownPath = (path: string): string | undefined =>
  /^\.{0,2}\/\P{Cc}*$/u.test(path) || statSync(path, { throwIfNoEntry: false }) ? path : undefined;

const reasonOf = (error: unknown): string => {
  const { errno } = error as NodeJS.ErrnoException;
  return errno === undefined ? '' : ` (${getSystemErrorMessage(errno)})`;
};
