import { expect } from 'chai';
import { SeenKeys } from '#application/idempotency/seen-keys.ts';
import type { UserId } from '#domain/user.ts';

describe('Keys that have come', () => {
  const [ada, bob] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'] as [
    UserId,
    UserId,
  ];

  it('are known from the second time on', () => {
    const seen = new SeenKeys();
    expect([1, 2, 3].map(() => seen.note({ userId: ada, key: 'key' }))).to.deep.equal([false, true, true]);
  });

  it('are those of one user', () => {
    const seen = new SeenKeys();
    seen.note({ userId: ada, key: 'key' });
    expect(seen.note({ userId: bob, key: 'key' })).to.equal(false);
  });

  it('are hardly ever taken for one another, and mostly known a thousand keys later', () => {
    const seen = new SeenKeys();
    const keys = Array.from({ length: 1_000 }, (_, number) => ({ userId: ada, key: `key ${number}` }));
    expect(keys.filter((key) => seen.note(key))).to.have.lengthOf(0);
    expect(keys.filter((key) => seen.note(key)).length).to.be.at.least(950);
  });
});
