/** The lengths of the codes of the 256 bytes and of the end of a string, in bits (RFC 7541 appendix B). */
const codeLengths = `
  13 23 28 28 28 28 28 28 28 24 30 28 28 30 28 28 28 28 28 28 28 28 30 28 28 28 28 28 28 28 28 28
  6 10 10 12 13 6 8 11 10 10 8 11 8 6 6 6 5 5 5 6 6 6 6 6 6 6 7 8 15 6 12 10
  13 6 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 8 7 8 13 19 13 14 6
  15 5 6 5 6 5 6 6 6 5 7 7 6 6 6 5 6 7 6 5 5 6 7 7 7 7 7 15 11 14 13 28
  20 22 20 20 22 22 22 23 22 23 23 23 23 23 24 23 24 24 22 23 24 23 23 23 23 21 22 23 22 23 23 24
  22 21 20 22 22 23 23 21 23 22 22 24 21 22 23 23 21 21 22 21 23 22 23 23 20 22 22 22 23 22 22 23
  26 26 20 19 22 23 22 25 26 26 26 27 27 26 24 25 19 21 26 27 27 26 27 24 21 21 26 26 28 27 27 27
  20 24 20 21 22 21 21 23 22 22 25 25 24 24 26 23 26 27 26 26 27 27 27 27 27 28 27 27 27 27 27 26
  30`
  .trim()
  .split(/\s+/)
  .map(Number);

/**
 * A binary tree: entries `2n` and `2n + 1` are the children of node `n` for the bits 0 and 1. A child that is a leaf is the
 * complement of its byte. 0 means no child yet, because the root is the child of no node.
 */
const tree = ((): readonly number[] => {
  const nodes = [0, 0];
  // The code is canonical: codes of one length follow each other in the order of their bytes.
  const byLength = codeLengths.map((length, byte) => ({ length, byte })).sort((a, b) => a.length - b.length);
  let code = 0;
  let before = 0;
  for (const { length, byte } of byLength) {
    code *= 2 ** (length - before);
    before = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit -= 1) {
      const child = 2 * node + ((code >>> bit) & 1);
      if (nodes[child] === 0) {
        nodes[child] = nodes.length / 2;
        nodes.push(0, 0);
      }
      node = nodes[child] ?? 0;
    }
    nodes[2 * node + (code & 1)] = ~byte;
    code += 1;
  }
  return nodes;
})();

/** Decodes a string of HPACK. Invalid padding is ignored here: Node rejects it. */
export const decodeHuffman = (encoded: Uint8Array): Uint8Array => {
  // The shortest code has five bits.
  const decoded = new Uint8Array(Math.ceil((encoded.length * 8) / 5));
  let length = 0;
  let node = 0;
  for (const octet of encoded) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      node = tree[2 * node + ((octet >>> bit) & 1)] ?? 0;
      if (node < 0) {
        decoded[length] = ~node;
        length += 1;
        node = 0;
      }
    }
  }
  return decoded.subarray(0, length);
};
