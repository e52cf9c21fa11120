import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ReceiverError } from './receiver-error.ts';

/** Finds all addresses of a name. @throws ReceiverError 'name_unknown' or 'timed_out' */
export type FindAddresses = (name: string) => Promise<readonly LookupAddress[]>;

/** The first try; the second lasts twice as long. Both end within the timeout for a connection. */
const firstTryMs = 1_500;

/** After this an answer comes too late for the connection. */
const lookupTimeoutMs = 5_000;

/**
 * How long the other family of addresses is waited for, in milliseconds, once one has been found: some name servers never answer for
 * IPv6. No address is called that was not checked, so a family that is missing hides none.
 */
const otherFamilyMs = 1_000;

/** The name server has no answer, or there is none. Then the hosts file and search domains of the system may know the name. */
const maybeLocal = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks the name servers without a thread: lookups of the system would occupy the few threads of this process, for half a
 * minute where a name server is silent. The system is asked only about names that no name server knows.
 * @param servers undefined for those of the system
 */
export const findByDns =
  (servers?: readonly string[]): FindAddresses =>
  async (name) => {
    const resolver = new Resolver({ timeout: firstTryMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancelAfter = (milliseconds: number) => setTimeout(() => resolver.cancel(), milliseconds);
    const timers = [cancelAfter(lookupTimeoutMs)];
    const questions = [resolver.resolve4(name), resolver.resolve6(name)];
    Promise.any(questions).then(
      () => timers.push(cancelAfter(otherFamilyMs)),
      () => undefined,
    );
    const results = await Promise.allSettled(questions);
    timers.forEach(clearTimeout);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses.map((address) => ({ address, family: isIP(address) }));
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : ''));
    if (codes.every((code) => maybeLocal.has(code))) return findBySystem(name);
    throw new ReceiverError(codes.some((code) => timeoutCodes.has(code)) ? 'timed_out' : 'name_unknown');
  };

const timeoutCodes = new Set(['ETIMEOUT', 'ECANCELLED']);

/** Asks the system, which also reads its hosts file. */
export const findBySystem: FindAddresses = async (name) => {
  try {
    return await lookup(name, { all: true });
  } catch (error) {
    throw new ReceiverError('name_unknown', error);
  }
};
