import { X509Certificate } from 'node:crypto';

/** From when and until when a certificate is good. */
export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

/** Why clients turn a certificate away, or soon will. */
export interface Doubt {
  readonly state: 'early' | 'expired' | 'ending';
  /** What is to be said of the certificate: `has expired on 2026-01-01T00:00:00.000Z`. */
  readonly says: string;
}

/** How long before its end a certificate should have been renewed, in milliseconds. */
const notice = 14 * 86_400_000;

/** @param cert a PEM text, of which the first certificate counts */
export const validityOf = (cert: string): Validity => {
  const { validFromDate: from, validToDate: until } = new X509Certificate(cert);
  return { from, until };
};

/**
 * Undefined while there is none.
 * @param now by this machine's clock, in milliseconds since 1970
 */
export const doubtAt = (now: number, { from, until }: Validity): Doubt | undefined => {
  const left = until.getTime() - now;
  if (left <= 0) return { state: 'expired', says: `has expired on ${until.toISOString()}` };
  if (from.getTime() > now) return { state: 'early', says: `is not valid before ${from.toISOString()}` };
  return left <= notice ? { state: 'ending', says: `expires on ${until.toISOString()}` } : undefined;
};
