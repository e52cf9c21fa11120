/**
 * Decodes a file in UTF-8, without its byte-order mark.
 * @returns undefined for other bytes and for a text with NUL, such as most of UTF-16
 */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
};
