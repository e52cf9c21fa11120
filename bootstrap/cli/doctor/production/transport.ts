import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { storeKindOf } from '../../../composition/ports/store-kind.ts';
import type { Database } from '../../../config/database.ts';
import { isLoopback } from '../../../config/env-parser.ts';

const { ok, warn, fail } = findingsFor('encryption');

/** Whether the way to each server of the database is encrypted, to a server whose certificate is verified. */
export const checkTransport = async (database: Database): Promise<readonly Finding[]> => {
  const { transportOf } = storeKindOf(database);
  if (transportOf === undefined) return [];
  const checks = [database.url, ...(database.replicas ?? [])].map(async (url): Promise<Finding> => {
    const { host: place, encryption, verifyingParameter } = await transportOf(url);
    if (place.startsWith('/') || isLoopback(place)) {
      return ok(`${place} is on this machine: its connections need no encryption`);
    }
    if (encryption === 'verified')
      return ok(`connections to ${place} are encrypted, and its certificate is verified`);
    const remedy = `Add ${verifyingParameter} to its URL, and sslrootcert=FILE for a certificate of your own authority.`;
    return encryption === 'none'
      ? fail(
          `connections to ${place} are not encrypted: the password and all data can be read on the way`,
          remedy,
        )
      : warn(`connections to ${place} are encrypted, but to any server that answers for it`, remedy);
  });
  return Promise.all(checks);
};
