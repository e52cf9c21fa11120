import { createPrivateKey, X509Certificate } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** A certificate with its chain, and its private key, as PEM texts. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Checks that a server can use the pair. OpenSSL itself detects a foreign key only when it is of the same kind as the
 * certificate's, and accepts an empty text.
 * @throws when the certificate or the key cannot be read, or they do not belong together
 */
export const validateCertificatePair = (pair: CertificatePair): void => {
  // Loaded late: most servers have no certificate, and the module takes a while.
  process.getBuiltinModule('node:tls').createSecureContext(pair);
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) {
    throw new Error('The private key is not that of the certificate.');
  }
};

/** The validity period of a certificate. */
export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

/** Why clients reject a certificate, or soon will. */
export interface ValidityWarning {
  readonly state: 'early' | 'expired' | 'ending';
  /** Follows the words "The certificate": `has expired on 2026-01-01T00:00:00.000Z`. */
  readonly message: string;
}

/** How long before its end a certificate should have been renewed: 14 days. */
const renewalNoticeMs = 14 * 86_400_000;

/** @param cert a PEM text, of which the first certificate counts */
export const validityOf = (cert: string): Validity => {
  const { validFromDate: from, validToDate: to } = new X509Certificate(cert);
  return { from, to };
};

/**
 * @param now by this machine's clock, in milliseconds since 1970
 * @returns undefined while the certificate is valid and not about to expire
 */
export const validityWarning = (now: number, { from, to }: Validity): ValidityWarning | undefined => {
  const left = to.getTime() - now;
  if (left <= 0) return { state: 'expired', message: `has expired on ${to.toISOString()}` };
  if (from.getTime() > now) return { state: 'early', message: `is not valid before ${from.toISOString()}` };
  return left <= renewalNoticeMs ? { state: 'ending', message: `expires on ${to.toISOString()}` } : undefined;
};

/** Keys and certificates are far smaller. */
const maxFileBytes = 1024 * 1024;

/** To open a named pipe without O_NONBLOCK waits for a writer. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

const requireSmallFile = (file: string, stats: Stats): void => {
  if (!stats.isFile()) throw new Error(`${file} is not a regular file.`);
  if (stats.size > maxFileBytes) throw new Error(`${file} is larger than 1 MiB.`);
};

/**
 * Reads a file that a setting names. Reading a device or a pipe might never end, so only a regular file is read.
 * @throws when it cannot be read, is not a regular file, or is larger than 1 MiB
 */
export const readSmallFileSync = (file: string): string => {
  const descriptor = openSync(file, openFlags);
  try {
    requireSmallFile(file, fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
};

/** `readSmallFileSync` without blocking. */
export const readSmallFile = async (file: string): Promise<string> => {
  const handle = await open(file, openFlags);
  try {
    requireSmallFile(file, await handle.stat());
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};
