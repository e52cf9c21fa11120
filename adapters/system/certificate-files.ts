import { stat } from 'node:fs/promises';
import { type CertificatePair, requireUsablePair } from './certificate-pair.ts';
import { doubtAt, validityOf } from './certificate-validity.ts';
import { readSmallFile } from './small-file.ts';

interface Files {
  readonly certFile: string;
  readonly keyFile: string;
}

interface Told {
  /** Is given another pair, whose parts belong together. */
  readonly use: (pair: CertificatePair) => void;
  /** Is told once of files that cannot be used as they are now. */
  readonly report: (error: unknown) => void;
  /**
   * Is told when clients turn away the certificate that is shown, or soon will, and why: at once, and then every day.
   * @param says `has expired on 2026-01-01T00:00:00.000Z`
   */
  readonly warn: (says: string) => void;
}

/** Between two looks at the files, in milliseconds. */
const pause = 1_000;

/** Between two warnings of the same, in milliseconds. */
const day = 86_400_000;

/**
 * Looks at the files of a certificate again and again, and hands on what has taken their place. They are looked at by
 * name: whether somebody wrote into them, put others there or turned a link, is all the same, and no file system has to
 * tell. While they do not belong together nothing is handed on, for half of a new pair may be on its way.
 * @param now by this machine's clock, as clients have it, in milliseconds since 1970
 */
export const followCertificate = (
  { cert, key, ...files }: Files & CertificatePair,
  { use, report, warn }: Told,
  now: () => number = Date.now,
): { stop(): void } => {
  let current: CertificatePair = { cert, key };
  let known: string | undefined;

  let validity = validityOf(cert);
  let warned: { readonly says: string; readonly at: number } | undefined;

  const heed = (): void => {
    const time = now();
    const says = doubtAt(time, validity)?.says;
    if (says === undefined || (says === warned?.says && time - warned.at < day)) return;
    warned = { says, at: time };
    warn(says);
  };

  const look = async (): Promise<void> => {
    const state = await stateOf(files).catch(String);
    if (state === known) return;
    known = state;
    try {
      const pair = {
        cert: await readSmallFile(files.certFile),
        key: await readSmallFile(files.keyFile),
      };
      if (pair.cert === current.cert && pair.key === current.key) return;
      requireUsablePair(pair);
      use(pair);
      current = pair;
      validity = validityOf(pair.cert);
    } catch (error) {
      report(error);
    }
  };

  let isLooking = false;
  const lookAndHeed = async (): Promise<void> => {
    // Where the files are on a disk that does not answer.
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
      heed();
    } finally {
      isLooking = false;
    }
  };
  void lookAndHeed();
  const looks = setInterval(lookAndHeed, pause).unref();
  return { stop: () => clearInterval(looks) };
};

const stateOf = async ({ certFile, keyFile }: Files): Promise<string> => {
  const [cert, key] = await Promise.all([stat(certFile), stat(keyFile)]);
  return [cert, key].map(({ ino, mtimeMs, ctimeMs, size }) => [ino, mtimeMs, ctimeMs, size].join()).join(' ');
};
