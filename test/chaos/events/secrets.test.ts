import { expect } from 'chai';
import { Random } from '#test/support/random.ts';
import { testSeed } from '#test/support/seed.ts';
import { secretsIn } from './secrets.ts';

const random = new Random(testSeed());
const randomBytes = () => Buffer.from(Array.from({ length: 32 }, () => random.below(256)));

it('Chaos finds the secret of an endpoint in each of its spellings', () => {
  // All bits set: the last of these have letters of their own in each alphabet.
  for (const bytes of [Buffer.alloc(32, 0xff), randomBytes()]) {
    const base64 = bytes.toString('base64');
    const has = secretsIn([base64]);
    for (const text of [
      base64,
      encodeURIComponent(base64),
      bytes.toString('base64url'),
      bytes.toString('hex'),
    ])
      expect(has(`{"a":"whsec_${text}"}`), text).to.equal(true);
    expect(has(`{"a":"whsec_${base64.slice(0, 20)}…"}`)).to.equal(false);
    expect(has(randomBytes().toString('base64'))).to.equal(false);
  }
});
