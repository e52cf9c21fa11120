import { expect } from 'chai';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import { forEachCase } from '#test/support/for-each-case.ts';
import { erasing, Operation } from '../client.ts';
import { openShop } from '../shop.ts';
import { judgeErasure } from './erasure.ts';
import { evidenceOf } from './evidence.ts';

const second = 1_000;
const begun = Date.UTC(2026, 2, 1, 12);
const expired = begun + idempotencyKeyLifetimeMs;
const alreadyErased = 'invalid-state: The user has been erased. Nothing can be done as them or to them.';

interface Case {
  /** When the request was sent whose response was lost. */
  readonly sentAt?: number;
  readonly lostAt?: number;
  readonly respondedAt?: number;
  readonly response?: string;
}

/** What the judge finds about an erasure whose client lost one response and got another. */
const judged = async ({ sentAt = begun, lostAt = begun + second, ...last }: Case): Promise<string[]> => {
  const { respondedAt = expired, response = alreadyErased } = last;
  const shop = await openShop(begun, [], [0, 0]);
  const { userId } = shop.ada;
  const { rows, people } = evidenceOf(shop, []);
  const users = rows.users.map((user) => (user.id === userId ? { id: userId, status: 'erased' } : user));
  const erasures = [{ id: 'erasure-1', userId, status: 'completed', createdAt: begun }];
  const one = new Operation(erasing, shop.admin.userId, () => Promise.reject(new Error('It is not sent.')));
  one.recordSent(sentAt);
  one.recordLost(sentAt, lostAt);
  one.recordResponse(response, respondedAt);
  const evidence = { rows: { ...rows, users, erasures }, people, markedRows: [] };
  return judgeErasure(evidence, [one], second).map(({ detail }) => detail);
};

describe('The judge of simulated erasures', () => {
  it('accepts one whose response was lost until its key had expired', async () => {
    await forEachCase([{}, { sentAt: begun - second }, { lostAt: begun }], async (given) => {
      expect(await judged(given)).to.deep.equal([]);
    });
  });

  it('finds one that no client was told of, unless its response was lost until the key had expired', async () => {
    const others: readonly Case[] = [
      { respondedAt: expired - 1 },
      { respondedAt: begun },
      { sentAt: begun + 1 },
      { sentAt: begun - second, lostAt: begun - 1 },
      { response: '{"id":"erasure-2"}' },
      { response: 'invalid-state: A payment of the user has not ended.' },
    ];
    await forEachCase(others, async (given) => {
      const [detail, ...more] = await judged(given);
      expect(detail).to.match(/^no client was told of erasure erasure-1/);
      expect(more).to.deep.equal([]);
    });
  });
});
