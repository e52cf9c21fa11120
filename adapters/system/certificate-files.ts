import { readFile, stat } from 'node:fs/promises';
import { type CertificatePair, requireUsablePair } from './certificate-pair.ts';

interface Files {
  readonly certFile: string;
  readonly keyFile: string;
}

interface Told {
  /** Is given another pair, whose parts belong together. */
  readonly use: (pair: CertificatePair) => void;
  /** Is told once of files that cannot be used as they are now. */
  readonly report: (error: unknown) => void;
}

/** Between two looks at the files, in milliseconds. */
const pause = 1_000;

/**
 * Looks at the files of a certificate again and again, and hands on what has taken their place. They are looked at by
 * name: whether somebody wrote into them, put others there or turned a link, is all the same, and no file system has to
 * tell. While they do not belong together nothing is handed on, for half of a new pair may be on its way.
 */
export const followCertificate = (
  { cert, key, ...files }: Files & CertificatePair,
  { use, report }: Told,
): { stop(): void } => {
  let current: CertificatePair = { cert, key };
  let known: string | undefined;

  const look = async (): Promise<void> => {
    const now = await stateOf(files).catch(String);
    if (now === known) return;
    known = now;
    try {
      const pair = {
        cert: await readFile(files.certFile, 'utf8'),
        key: await readFile(files.keyFile, 'utf8'),
      };
      if (pair.cert === current.cert && pair.key === current.key) return;
      requireUsablePair(pair);
      use(pair);
      current = pair;
    } catch (error) {
      report(error);
    }
  };

  let last = look();
  const looks = setInterval(() => {
    last = last.then(look);
  }, pause).unref();
  return { stop: () => clearInterval(looks) };
};

const stateOf = async ({ certFile, keyFile }: Files): Promise<string> => {
  const [cert, key] = await Promise.all([stat(certFile), stat(keyFile)]);
  return [cert, key].map(({ ino, mtimeMs, ctimeMs, size }) => [ino, mtimeMs, ctimeMs, size].join()).join(' ');
};
