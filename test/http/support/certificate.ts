import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (name: string): string => fileURLToPath(new URL(`certificate/${name}.pem`, import.meta.url));

/** A certificate for 127.0.0.1 that nobody but its own key has signed, good until 2126. It guards nothing. */
export const certificate = {
  certFile: file('cert'),
  keyFile: file('key'),
  /** Another of the same kind, and its key, which is not the first's. */
  anotherCertFile: file('another-cert'),
  anotherKeyFile: file('another-key'),
  /** One that ended with 2025, with the first one's key. */
  expiredCertFile: file('expired-cert'),
  /** PEM, for whoever is to trust it. */
  cert: readFileSync(file('cert'), 'utf8'),
  key: readFileSync(file('key'), 'utf8'),
};
