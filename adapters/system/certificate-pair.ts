import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate, with those behind it, and its private key, as PEM texts. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * OpenSSL finds fault with a key only where it is of the certificate's own kind, and with an empty text never.
 * @throws when a server could not show the certificate
 */
export const requireUsablePair = (pair: CertificatePair): void => {
  // Loaded only now, for it takes a while, and most have no certificate.
  process.getBuiltinModule('node:tls').createSecureContext(pair);
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) {
    throw new Error('The private key is not that of the certificate.');
  }
};
