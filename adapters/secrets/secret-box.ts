import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { ApplicationError } from '#application/errors.ts';
import type { SecretBox, SecretPlace } from '#application/ports/secret-box.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Of the sealed text. Another format gets another one. */
const format = 'v1';

/** Where the keys are. Each is base64 of 32 bytes. */
export interface SecretKeys {
  /** What the operator must set, when there is no key to seal with. */
  readonly problem: string | undefined;
  /** The key that seals, which may be created by this call. */
  current(): Promise<string>;
  /** Finds a key that opens. @throws ApplicationError 'unavailable' when it may be one that cannot be read */
  find(isWanted: (key: string) => boolean): Promise<string | undefined>;
}

/** Encrypts by AES-256-GCM. The sealed text names its key, so that keys can be rotated. */
export const secretBox = (keys: SecretKeys): SecretBox => {
  const seal: SecretBox['seal'] = async (secret, place) => {
    if (keys.problem !== undefined) throw new ApplicationError('unavailable', keys.problem);
    const key = await keys.current();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, Buffer.from(key, 'base64'), nonce, { authTagLength: tagBytes });
    cipher.setAAD(bindingOf(idOf(key), place));
    const encrypted = Buffer.concat([
      nonce,
      cipher.update(secret, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return [format, idOf(key), encrypted.toString('base64url')].join('.');
  };

  const open: SecretBox['open'] = async (sealed, place) => {
    const [version, id = '', text = ''] = sealed.split('.');
    const key = version === format ? await keys.find((one) => idOf(one) === id) : undefined;
    if (key === undefined) throw new ApplicationError('unavailable', unknownKey);
    try {
      return decrypt(key, Buffer.from(text, 'base64url'), bindingOf(id, place));
    } catch (error) {
      throw new ApplicationError(
        'unavailable',
        'A stored secret was changed. Replace it by a new one.',
        error,
      );
    }
  };

  const reseal: SecretBox['reseal'] = async (sealed, place) => {
    // Opened first: a current key that does not exist yet would be created in place of one that is lost.
    const secret = await open(sealed, place);
    const [, id] = sealed.split('.');
    return id === idOf(await keys.current()) ? undefined : seal(secret, place);
  };

  return { problem: keys.problem, seal, open, reseal };
};

const unknownKey =
  'The key of a stored secret is unknown. Add it to SECRETS_KEY, or replace the secret by a new one.';

const decrypt = (key: string, encrypted: Buffer, binding: Buffer): string => {
  const nonce = encrypted.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, Buffer.from(key, 'base64'), nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAAD(binding);
  decipher.setAuthTag(encrypted.subarray(-tagBytes));
  const text = encrypted.subarray(nonceBytes, -tagBytes);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
};

/** Distinguishes keys and discloses nothing of them. */
const idOf = (key: string): string => hash('sha256', `portico secrets key ${key}`, 'base64url').slice(0, 8);

/** What is authenticated beside the text. */
const bindingOf = (keyId: string, { ownerId, secretId }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([format, keyId, ownerId, secretId]));
