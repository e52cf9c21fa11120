import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import { type ApiResponse, Client } from '../support/client.ts';
import { expectProblem } from '../support/protocol.ts';
import { serviceSuite } from '../support/service.ts';

const number = ({ headers }: ApiResponse, name: string): number => {
  const value = headers.get(name);
  expect(value, name).to.match(/^\d+$/);
  return Number(value);
};

const limit = 8;
const windowSeconds = 2;
const settings = { RATE_LIMIT_MAX: `${limit}`, RATE_LIMIT_WINDOW_SECONDS: `${windowSeconds}` };

export const describeRateLimit = serviceSuite('The rate limit', settings, (service, kind) => {
  const fresh: Client[] = [];
  before(async () => {
    const admin = await service.person('admin');
    while (fresh.length < limit - 1) {
      const { body } = await admin.post('/v1/api-keys', { name: `Key ${fresh.length}` });
      fresh.push(new Client(() => service.url, body.data.token));
    }
  });
  /** A caller with an unused key. */
  const unused = (): Client => fresh.pop() ?? expect.fail('All keys have been used.');

  it('allows exactly the configured number of requests, counts them down, and rejects the next', async () => {
    const caller = unused();
    for (let left = limit - 1; left >= 0; left -= 1) {
      const answer = await caller.get(left % 2 ? '/v1/products' : '/v1/nothing');
      expect(answer.status).to.be.oneOf([200, 404]);
      expect(number(answer, 'X-RateLimit-Limit')).to.equal(limit);
      expect(number(answer, 'X-RateLimit-Remaining')).to.equal(left);
    }
    for (const _ of [1, 2]) {
      const answer = await caller.get('/v1/products');
      expectProblem(answer, '429 RATE_LIMITED');
      expect(number(answer, 'X-RateLimit-Limit')).to.equal(limit);
      expect(number(answer, 'X-RateLimit-Remaining')).to.equal(0);
    }
  });

  it('gives the same seconds to wait in the message, Retry-After and X-RateLimit-Reset', async () => {
    const caller = unused();
    const before = Date.now() / 1000;
    const answers = await Promise.all(Array.from({ length: limit + 5 }, () => caller.get('/v1/nothing')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).to.have.lengthOf(5);
    for (const answer of refused) {
      const wait = number(answer, 'Retry-After');
      expect(wait).to.be.within(1, windowSeconds);
      expect(answer.body.error.message).to.match(new RegExp(`\\b${wait} second`));
      const reset = number(answer, 'X-RateLimit-Reset');
      expect(reset).to.be.within(Math.floor(before + wait - 1), Math.ceil(Date.now() / 1000 + wait));
    }
    expect(new Set(answers.map((answer) => number(answer, 'X-RateLimit-Reset'))).size).to.equal(1);
  });

  it('ends with its window, even for a client that keeps sending requests', async () => {
    const caller = unused();
    const first = await caller.get('/v1/nothing');
    for (let count = 0; count < limit * 2; count += 1) await caller.get('/v1/nothing');
    const refused = await caller.get('/v1/nothing');
    expect(refused.status).to.equal(429);
    expect(number(refused, 'X-RateLimit-Reset')).to.equal(number(first, 'X-RateLimit-Reset'));
    const begun = service.now;
    const again = await service.until(
      () => caller.get('/v1/products'),
      ({ status }) => status === 200,
    );
    // Servers of databases go on in real time, in which another program may come between.
    if (localKinds.includes(kind))
      expect(service.now - begun).to.be.within(0, 1_000 * number(refused, 'Retry-After') + 300);
    expect(number(again, 'X-RateLimit-Remaining')).to.equal(limit - 1);
    expect(number(again, 'X-RateLimit-Reset')).to.be.above(number(first, 'X-RateLimit-Reset'));
  });

  it('is counted per key, even for one user at one address', async () => {
    const caller = unused();
    const { body } = await caller.post('/v1/api-keys', { name: 'Second' });
    const second = new Client(() => service.url, body.data.token);
    for (let count = 0; count < limit; count += 1) await caller.get('/v1/nothing');
    expect((await caller.get('/v1/products')).status).to.equal(429);
    const answer = await second.get('/v1/products');
    expect(answer.status).to.equal(200);
    expect(number(answer, 'X-RateLimit-Remaining')).to.equal(limit - 1);
    const elsewhere = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' };
    expect((await caller.get('/v1/products', elsewhere)).status).to.equal(429);
  });

  it('neither counts nor limits unauthenticated requests and preflights', async () => {
    for (let count = 0; count < limit * 2; count += 1) {
      expect((await service.stranger.get('/v1/products')).status).to.equal(401);
    }
    const caller = unused();
    for (let count = 0; count < limit * 2; count += 1) {
      const answer = await caller.send('OPTIONS', '/v1/products');
      expect(answer.status).to.equal(204);
      expect(answer.headers.has('X-RateLimit-Limit')).to.equal(false);
    }
    expect(number(await caller.get('/v1/nothing'), 'X-RateLimit-Remaining')).to.equal(limit - 1);
  });

  it('counts failed requests too: redirects, unsupported methods, invalid bodies', async () => {
    const caller = unused();
    await caller.get('/products');
    await caller.put('/v1/products', {});
    await caller.post('/v1/products', '{');
    expect(number(await caller.get('/v1/nothing'), 'X-RateLimit-Remaining')).to.equal(limit - 4);
  });
});

export const describeRateLimitOfKey = serviceSuite(
  'The rate limit of a key',
  {},
  (service) => {
    it('is that of the key where it has one, also below what was used and above it', async () => {
      const made = await service.operator.post('/v1/api-keys', { name: 'Own limit', rate_limit: 3 });
      const { id, token } = made.body.data;
      const caller = new Client(() => service.url, token);
      const expectNext = async (status: number, expected: number, left: number): Promise<void> => {
        const answer = await service.until(
          () => caller.get('/v1/nothing'),
          (given) => number(given, 'X-RateLimit-Limit') === expected,
        );
        expect(answer.status).to.equal(status);
        expect(number(answer, 'X-RateLimit-Remaining')).to.equal(left);
      };
      for (const left of [2, 1, 0]) await expectNext(404, 3, left);
      await expectNext(429, 3, 0);
      await service.operator.patch(`/v1/api-keys/${id}`, { rate_limit: 1_000_000 });
      await expectNext(404, 1_000_000, 999_996);
      await service.operator.patch(`/v1/api-keys/${id}`, { rate_limit: 2 });
      await expectNext(429, 2, 0);
    });
  },
  { credentialTtlMs: 100 },
);
