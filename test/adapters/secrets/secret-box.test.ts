import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { configuredKeys, missingKeys, randomSecret, temporaryKeys } from '#adapters/secrets/secret-keys.ts';
import type { SecretBox } from '#application/ports/secret-box.ts';
import { WebhookSecret } from '#domain/webhooks/secret.ts';

const [oldKey, newKey, otherKey] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
  string,
];
const boxOf = (...keys: string[]): SecretBox => secretBox(configuredKeys(keys));
const place = {
  ownerId: '0199c1b2-0000-7000-8000-000000000001',
  secretId: '0199c1b2-0000-7000-8000-000000000002',
};
const newWebhookSecret = (): string => WebhookSecret.of(randomSecret());
const secret = newWebhookSecret();

/** Why a text is not opened. */
const rejectionOf = (opened: Promise<string>): Promise<string> =>
  opened.then(
    (text) => text,
    (error) => `${error.kind}: ${error.message}`,
  );
const changed = 'unavailable: A stored secret was changed. Replace it by a new one.';
const unknown =
  'unavailable: The key of a stored secret is unknown. Add it to SECRETS_KEY, or replace the secret by a new one.';

describe('A new secret of a webhook endpoint', () => {
  it('is whsec_ and base64 of 32 random bytes', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    for (const one of secrets) {
      expect(one).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(one.slice(6), 'base64')).to.have.length(32);
    }
    expect(new Set(secrets).size).to.equal(100);
  });
});

describe('A box of secrets', () => {
  it('opens what it has sealed, and seals it differently each time', async () => {
    for (const box of [boxOf(oldKey), secretBox(temporaryKeys())]) {
      expect(box.problem).to.equal(undefined);
      for (const text of [secret, '', 'Zoë 😀', 'x'.repeat(10_000)])
        expect(await box.open(await box.seal(text, place), place)).to.equal(text);
      const sealed = await Promise.all(Array.from({ length: 50 }, () => box.seal(secret, place)));
      expect(new Set(sealed).size).to.equal(50);
      for (const one of sealed) expect(one).not.to.include(secret.slice(6, 20));
    }
  });

  it('seals with its first key and opens with all, as a rotation of keys needs', async () => {
    const before = await boxOf(oldKey).seal(secret, place);
    const during = boxOf(newKey, oldKey);
    const after = await during.seal(secret, place);
    expect(await during.open(before, place)).to.equal(secret);
    expect(await during.open(after, place)).to.equal(secret);
    expect(await boxOf(newKey).open(after, place)).to.equal(secret);
    expect(await rejectionOf(boxOf(newKey).open(before, place))).to.equal(unknown);
    expect(await rejectionOf(boxOf(oldKey, otherKey).open(after, place))).to.equal(unknown);
  });

  it('seals again what another key has sealed, and nothing else', async () => {
    const before = await boxOf(oldKey).seal(secret, place);
    const after = (await boxOf(newKey, oldKey).reseal(before, place)) ?? expect.fail('It has another key.');
    expect(await boxOf(newKey).open(after, place)).to.equal(secret);
    expect(await boxOf(newKey, oldKey).reseal(after, place)).to.equal(undefined);
    const lost = boxOf(newKey).reseal(before, place).then(String);
    expect(await rejectionOf(lost)).to.equal(unknown);
  });

  it('opens nothing at another place', async () => {
    const box = boxOf(oldKey);
    const sealed = await box.seal(secret, place);
    for (const other of [
      { ...place, ownerId: place.secretId },
      { ...place, secretId: place.ownerId },
      { ownerId: place.secretId, secretId: place.ownerId },
      { ownerId: `${place.ownerId}","${place.secretId}`, secretId: '' },
    ])
      expect(await rejectionOf(box.open(sealed, other))).to.equal(changed);
  });

  it('opens nothing that was changed', async () => {
    const box = boxOf(oldKey);
    const sealed = await box.seal(secret, place);
    const [format, id, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const other = Buffer.from(bytes);
      other[index] = (other[index] ?? 0) ^ 1;
      expect(
        await rejectionOf(box.open([format, id, other.toString('base64url')].join('.'), place)),
      ).to.equal(changed);
    }
    for (const length of [0, 1, 12, 20, 28, bytes.length - 1]) {
      const shorter = bytes.subarray(0, length).toString('base64url');
      expect(await rejectionOf(box.open([format, id, shorter].join('.'), place))).to.equal(changed);
    }
    for (const other of [
      '',
      secret,
      `v2.${id}.${text}`,
      `v1.AAAAAAAA.${text}`,
      randomBytes(60).toString('base64'),
    ])
      expect(await rejectionOf(box.open(other, place))).to.equal(unknown);
  });

  it('under another key of the same id would still open nothing', async () => {
    const [format, , text] = (await boxOf(newKey).seal(secret, place)).split('.');
    const [, id] = (await boxOf(oldKey).seal(secret, place)).split('.');
    expect(await rejectionOf(boxOf(oldKey).open([format, id, text].join('.'), place))).to.equal(changed);
  });

  it('without a key says what to set, and seals nothing', async () => {
    const box = secretBox(missingKeys('Set SECRETS_KEY.'));
    expect(box.problem).to.equal('Set SECRETS_KEY.');
    expect(await rejectionOf(box.seal(secret, place))).to.equal('unavailable: Set SECRETS_KEY.');
    expect(await rejectionOf(box.open(await boxOf(oldKey).seal(secret, place), place))).to.equal(unknown);
  });
});
