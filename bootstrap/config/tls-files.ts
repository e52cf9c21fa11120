import { readSmallFileSync } from '#adapters/system/small-file.ts';
import { SettingError } from './env-parser.ts';

const readable = 'that can be read: a regular file of 1 MiB at the most.';

/** The text of the PEM file that a setting names. @throws SettingError */
export const readPem = (setting: string, file: string): string => {
  try {
    const pem = readSmallFileSync(file);
    if (pem.includes('-----BEGIN ')) return pem;
  } catch {
    // Said below: a file that is missing and one that is no PEM file have the same remedy.
  }
  throw new SettingError(setting, `takes a PEM file ${readable}`);
};

/** What the address of a PostgreSQL may name. The driver reads it whole, and lets nothing else happen meanwhile. */
const parameters = ['sslrootcert', 'sslcert', 'sslkey'];

/** Looks at the files of TLS in the address of a database. @throws SettingError when the driver could not read one */
export const requireTlsFiles = (setting: string, url: string): void => {
  const asked = URL.parse(url)?.searchParams;
  for (const parameter of parameters) {
    const file = asked?.get(parameter);
    if (file === undefined || file === null || file === '') continue;
    try {
      readSmallFileSync(file);
    } catch {
      throw new SettingError(setting, `takes in ${parameter} a file ${readable}`);
    }
  }
};
