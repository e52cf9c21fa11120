import { X509Certificate } from 'node:crypto';
import { readSmallFileSync, validateCertificatePair } from '#adapters/system/certificate.ts';
import { anyText, type Environment, isLoopback, parseSetting, SettingError } from './env-parser.ts';

/** PEM texts, and the files that hold them, which may be replaced while the server runs. */
export interface TlsSettings {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const readable = 'that can be read: a regular file of at most 1 MiB.';

/** @throws SettingError when one of the two is missing or unusable, or they do not belong together */
export const readTls = (environment: Environment): TlsSettings | undefined => {
  const certFile = parseSetting(environment, 'TLS_CERT_FILE', 'a PEM file', anyText, undefined);
  const keyFile = parseSetting(environment, 'TLS_KEY_FILE', 'a PEM file', anyText, undefined);
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined) throw new SettingError('TLS_CERT_FILE', 'must be set where TLS_KEY_FILE is.');
  if (keyFile === undefined) throw new SettingError('TLS_KEY_FILE', 'must be set where TLS_CERT_FILE is.');
  const cert = readPem('TLS_CERT_FILE', certFile);
  const key = readPem('TLS_KEY_FILE', keyFile);
  requireValid('TLS_CERT_FILE', 'must be a PEM file with a certificate.', () => new X509Certificate(cert));
  requireValid('TLS_KEY_FILE', "must be a PEM file with the certificate's private key.", () =>
    validateCertificatePair({ cert, key }),
  );
  return { cert, key, certFile, keyFile };
};

/**
 * Keys and payments must not travel unencrypted: Portico listens beyond loopback only with TLS, its own or a proxy's.
 * @throws SettingError
 */
export const requireSecureTransport = (
  setting: 'HOST' | 'PAGES_HOST',
  host: string,
  behindProxy: boolean,
  hasTls: boolean,
): void => {
  if (hasTls || behindProxy || isLoopback(host)) return;
  throw new SettingError(
    setting,
    'must be a loopback address such as 127.0.0.1 for plain HTTP. For any other, set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=1 behind a proxy that speaks HTTPS.',
  );
};

/** Parameters of a database URL that name files. The driver reads them whole, and blocks the process meanwhile. */
const fileParameters = ['sslrootcert', 'sslcert', 'sslkey'];

/** Checks the TLS files that a database URL names. @throws SettingError when the driver could not read one */
export const requireTlsFiles = (setting: string, url: string): void => {
  const parameters = URL.parse(url)?.searchParams;
  for (const parameter of fileParameters) {
    const file = parameters?.get(parameter) ?? '';
    if (file === '') continue;
    requireValid(setting, `must name in ${parameter} a file ${readable}`, () => readSmallFileSync(file));
  }
};

const readPem = (setting: string, file: string): string => {
  try {
    const pem = readSmallFileSync(file);
    if (pem.includes('-----BEGIN ')) return pem;
  } catch {
    // A missing file and one that is no PEM file have the same error, below.
  }
  throw new SettingError(setting, `must be a PEM file ${readable}`);
};

const requireValid = (setting: string, advice: string, check: () => unknown): void => {
  try {
    check();
  } catch {
    throw new SettingError(setting, advice);
  }
};
