import { Client } from 'pg';
import type { Transport } from '../store-kind.ts';

/** How the driver would connect, by the URL and by its own variables such as `PGSSLMODE`. Connects to nothing. */
export const transportOf = async (url: string): Promise<Transport> => {
  const { host, ssl } = new Client({ connectionString: url });
  return { host, encryption: encryptionOf(ssl), verifyingParameter: 'sslmode=verify-full' };
};

/** @param ssl what the driver made of the URL: options, although its types call it a boolean */
const encryptionOf = (ssl: unknown): Transport['encryption'] => {
  if (typeof ssl !== 'object' || ssl === null) return ssl === true ? 'verified' : 'none';
  const acceptsAll = 'rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false;
  // For libpq's sslmode=verify-ca the driver replaces the check of the host's name by one that accepts all.
  return acceptsAll || 'checkServerIdentity' in ssl ? 'unverified' : 'verified';
};
