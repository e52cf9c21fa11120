import { stat } from 'node:fs/promises';
import {
  type CertificatePair,
  readSmallFile,
  validateCertificatePair,
  validityOf,
  validityWarning,
} from './certificate.ts';

interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

interface Options {
  /** This machine's clock, as clients judge the certificate by theirs; in milliseconds since 1970. */
  readonly now?: () => number;
}

interface Callbacks {
  /** Called with each new pair. */
  readonly use: (pair: CertificatePair) => void;
  /** Called once for each state of the files that cannot be used. */
  readonly report: (error: unknown) => void;
  /**
   * Called when clients reject the certificate or soon will: at once, and then every day.
   * @param message `has expired on 2026-01-01T00:00:00.000Z`
   */
  readonly warn: (message: string) => void;
}

/** The interval between two checks of the files. */
const pollIntervalMs = 1_000;

/** The interval between two warnings with the same message. */
const warningIntervalMs = 86_400_000;

/**
 * Polls the files of a certificate and uses new ones, so that a renewal needs no restart. Polling by name notices every way of
 * replacing a file, symbolic links and network file systems included.
 *
 * A certificate and a key that do not belong together are not used: the second file may not be written yet.
 */
export const watchCertificate = (
  { cert, key, ...files }: CertificateFiles & CertificatePair,
  { use, report, warn }: Callbacks,
  { now = Date.now }: Options = {},
): { stop(): void } => {
  let current: CertificatePair = { cert, key };
  let checkedState: string | undefined;

  let validity = validityOf(cert);
  let lastWarning: { readonly message: string; readonly at: number } | undefined;

  const warnIfDue = (): void => {
    const time = now();
    const message = validityWarning(time, validity)?.message;
    if (message === undefined) return;
    if (message === lastWarning?.message && time - lastWarning.at < warningIntervalMs) return;
    lastWarning = { message, at: time };
    warn(message);
  };

  const reload = async (): Promise<void> => {
    const state = await stateOf(files).catch(String);
    if (state === checkedState) return;
    checkedState = state;
    try {
      const pair = {
        cert: await readSmallFile(files.certFile),
        key: await readSmallFile(files.keyFile),
      };
      if (pair.cert === current.cert && pair.key === current.key) return;
      validateCertificatePair(pair);
      use(pair);
      current = pair;
      validity = validityOf(pair.cert);
    } catch (error) {
      report(error);
    }
  };

  let isPolling = false;
  const poll = async (): Promise<void> => {
    // A poll of a disk that does not respond must not start another.
    if (isPolling) return;
    isPolling = true;
    try {
      await reload();
      warnIfDue();
    } finally {
      isPolling = false;
    }
  };
  void poll();
  const timer = setInterval(poll, pollIntervalMs).unref();
  return { stop: () => clearInterval(timer) };
};

/** Differs whenever a file may have changed. */
const stateOf = async ({ certFile, keyFile }: CertificateFiles): Promise<string> => {
  const [cert, key] = await Promise.all([stat(certFile), stat(keyFile)]);
  return [cert, key].map(({ ino, mtimeMs, ctimeMs, size }) => [ino, mtimeMs, ctimeMs, size].join()).join(' ');
};
