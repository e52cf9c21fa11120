import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
