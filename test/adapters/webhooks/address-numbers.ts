/** Arithmetic of addresses, apart from the library that the code uses. An address of either family is a number of its bits. */

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));

/** @param text in hexadecimal groups, or four decimal numbers */
export const numberOf = (text: string): bigint => {
  if (!text.includes(':')) return text.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
  const [head = '', tail = ''] = text.split('::');
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = text.includes('::') ? Array(8 - left.length - right.length).fill('0') : [];
  return [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
};

export const ipv4Of = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');

export const ipv6Of = (value: bigint): string =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(
    ':',
  );

/** The first and the last number of a range. */
export const boundsOf = (range: string): { readonly first: bigint; readonly last: bigint } => {
  const [address = '', length = ''] = range.split('/');
  const size = 1n << BigInt((address.includes(':') ? 128 : 32) - Number(length));
  const first = numberOf(address);
  return { first, last: first + size - 1n };
};
