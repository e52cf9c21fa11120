import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type AllowedReceiver,
  allowsAddressesAt,
  isAllowedAddress,
  isAllowedName,
  withoutDot,
} from './allowed-receivers.ts';
import { type FindAddresses, findByDns, findBySystem } from './find-addresses.ts';
import { ReceiverError } from './receiver-error.ts';

/** A receiver as a parser of URLs understands it, with every odd spelling of an address resolved. */
export interface Receiver {
  readonly url: URL;
  /** The name or the address, without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

interface GuardOptions {
  readonly allowed: readonly AllowedReceiver[];
  /** Finds the addresses of public names. */
  readonly findAddresses?: FindAddresses;
}

/** Decides which receivers are called, and finds their addresses. */
export const receiverGuard = ({ allowed, findAddresses = findByDns() }: GuardOptions) => {
  const isPermitted = (address: string, { port, isSecure }: Receiver): boolean =>
    isAllowedAddress(allowed, address, port) || (isSecure && isPublicPort(port) && isPublicAddress(address));

  const problemOf = (text: string): string | undefined => {
    const receiver = parseReceiver(text);
    if (receiver === undefined) return 'must be an https URL, such as https://example.com/webhooks';
    const { host, port, isSecure } = receiver;
    const isAddress = isIP(host) !== 0;
    if (isAddress ? isAllowedAddress(allowed, host, port) : mayBeAllowed(receiver)) return undefined;
    if (!isSecure) return 'must be an https URL, unless WEBHOOK_ALLOW names its host and port';
    if (!isPublicPort(port)) return `must have the port 443 or one from 1024 to 65535, not ${port}`;
    return isAddress && !isPublicAddress(host)
      ? `must not have the address ${host}, which is not public, unless WEBHOOK_ALLOW names it`
      : undefined;
  };

  /** A name may resolve to an allowed address. Which one it has is known only when it is connected to. */
  const mayBeAllowed = ({ host, port }: Receiver): boolean =>
    isAllowedName(allowed, host, port) || allowsAddressesAt(allowed, port);

  const addressesOf = async (receiver: Receiver) => {
    const { host, port } = receiver;
    const isNamed = isAllowedName(allowed, host, port);
    // The hosts file of the system has names without the dot.
    const addresses = await (isNamed || isLocalhost(host)
      ? findBySystem(withoutDot(host))
      : findAddresses(host));
    if (isNamed) return addresses;
    if (addresses.length === 0) throw new ReceiverError('name_unknown');
    if (addresses.every(({ address }) => isPermitted(address, receiver))) return addresses;
    throw new ReceiverError('address_rejected');
  };

  return {
    /** @returns why a URL is never called, as a message for the client; undefined when only its addresses decide */
    problemOf,

    /** @throws ReceiverError 'address_rejected' for a URL that is never called */
    receiverOf: (text: string): Receiver => {
      const receiver = problemOf(text) === undefined ? parseReceiver(text) : undefined;
      if (receiver === undefined) throw new ReceiverError('address_rejected');
      return receiver;
    },

    /**
     * Gives Node the checked addresses of a name, at each new connection. Node does not call it for an address: `receiverOf` has
     * checked that.
     */
    lookupFor:
      (receiver: Receiver): LookupFunction =>
      (_name, _options, callback) => {
        addressesOf(receiver).then(
          (addresses) => callback(null, [...addresses]),
          (error) => callback(error, []),
        );
      },
  };
};

export type ReceiverGuard = ReturnType<typeof receiverGuard>;

const parseReceiver = (text: string): Receiver | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  return { url, host: url.hostname.replace(/^\[|\]$/g, ''), port, isSecure };
};

/** Other ports below 1024 belong to other protocols, some of which an HTTP request can be smuggled into. */
const isPublicPort = (port: number): boolean => port === 443 || port >= 1_024;

/** RFC 6761 section 6.3: name servers are not asked. */
const isLocalhost = (host: string): boolean => /(?:^|\.)localhost$/.test(withoutDot(host));

/** IANA has assigned global unicast addresses in this range only; whatever is outside reaches no host of the Internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public Internet: outside of every range of IANA's special-purpose registries (RFC 6890), of
 * multicast, and of the forms that carry an IPv4 address, which a gateway would translate to any host.
 * @param address as it is connected to, in the strict forms that `net.isIP` accepts; others are not public
 */
export const isPublicAddress = (address: string): boolean => {
  // A zone names a network interface of this machine (RFC 4007). The library also parses octal and shortened addresses.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(globalUnicast) && !isIsatap(parsed));
};

/** ISATAP: an interface id of 0000:5efe or 0200:5efe, before an IPv4 address (RFC 5214 section 6.1). */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
