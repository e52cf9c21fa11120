import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { MintToken } from '#application/ports/authenticator.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Id } from '#domain/id.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 43 characters out of 62 are 256 bits of chance. */
const secretLength = 43;
/** 6 characters out of 62 hold the 32 bits of a CRC. */
const checksumLength = 6;

const form = /^ptc_([0-9a-f]{32})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/**
 * A token is `ptc_<key id>_<secret><checksum>`. The prefix lets secret scanners find one that has leaked; the
 * checksum tells a mistyped or invented one without asking the store.
 */
export const Token = {
  /** Undefined when the text is no token, or its checksum is wrong. */
  parse: (text: string): { readonly id: ApiKeyId; readonly secretHash: string } | undefined => {
    const [, key = '', secret = '', checksum] = form.exec(text) ?? [];
    const id = Id.fromHex<ApiKeyId>(key);
    if (id === undefined || checksum !== checksumOf(key, secret)) return undefined;
    return { id, secretHash: hash('sha256', secret) };
  },
};

export const mintToken: MintToken = (id) => {
  const key = Id.toHex(id);
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomInt(alphabet.length))).join(
    '',
  );
  return { token: `ptc_${key}_${secret}${checksumOf(key, secret)}`, secretHash: hash('sha256', secret) };
};

const checksumOf = (key: string, secret: string): string => {
  let rest = crc32(`ptc_${key}_${secret}`);
  let checksum = '';
  while (checksum.length < checksumLength) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return checksum;
};
