import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (name: string): string => fileURLToPath(new URL(`certificate/${name}.pem`, import.meta.url));

/** A self-signed certificate for 127.0.0.1, valid until 2126. It is for tests only. */
export const certificate = {
  certFile: file('cert'),
  keyFile: file('key'),
  /** Another such certificate, with a key of its own. */
  anotherCertFile: file('another-cert'),
  anotherKeyFile: file('another-key'),
  /** A certificate for `localhost`, which names no address, with a key of its own. */
  namedCertFile: file('named-cert'),
  namedKeyFile: file('named-key'),
  /** A certificate that expired with 2025, with the first key. */
  expiredCertFile: file('expired-cert'),
  /** The certificate in PEM, for clients that must trust it. */
  cert: readFileSync(file('cert'), 'utf8'),
  key: readFileSync(file('key'), 'utf8'),
};

/** Settings with which a server serves TLS with this certificate. */
export const tls = { TLS_CERT_FILE: certificate.certFile, TLS_KEY_FILE: certificate.keyFile };
