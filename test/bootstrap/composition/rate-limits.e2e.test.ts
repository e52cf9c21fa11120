import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import { atOnce } from '../../contracts/harness.ts';
import { type ApiResponse, Client } from '../../http/support/client.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { Fleet } from '../support/fleet.ts';

const limit = 100;
const windowSeconds = 2;

const number = ({ headers }: ApiResponse, name: string): number => Number(headers.get(`X-RateLimit-${name}`));

/** How many requests were allowed in each window. */
const allowedByWindow = (answers: readonly ApiResponse[]): ReadonlyMap<number, number> => {
  const allowed = new Map<number, number>();
  for (const answer of answers) {
    if (answer.status !== 404) continue;
    const reset = number(answer, 'Reset');
    allowed.set(reset, (allowed.get(reset) ?? 0) + 1);
  }
  return allowed;
};

/** `rate-limits.store.test.ts` has servers that share one process, on each database. */
describe('The rate limit of three processes', () => {
  const fleet = new Fleet();
  let drop: (() => Promise<void>) | undefined;
  before(async () => {
    const database = await freshDatabase();
    ({ drop } = database);
    await fleet.start(3, {
      DATABASE_URL: database.url,
      RATE_LIMIT_MAX: `${limit}`,
      RATE_LIMIT_WINDOW_SECONDS: `${windowSeconds}`,
    });
  });
  after(async () => {
    await fleet.end();
    await drop?.();
  });

  it('is reached and never exceeded in any window of a continuous load, and 429 says when to come back', async () => {
    const { body } = await fleet.at(0).post('/v1/api-keys', { name: 'Fresh' });
    const clients = [0, 1, 2].map((index) => new Client(() => fleet.at(index).base, body.data.token));
    const answers: ApiResponse[] = [];
    const isUsedUp = () =>
      [...allowedByWindow(answers).values()].filter((times) => times >= limit).length >= 2;
    const end = performance.now() + 60_000;
    await Promise.all(
      atOnce(6, async (index) => {
        while (!isUsedUp() && performance.now() < end) {
          const answer = await (clients[index % clients.length] ?? expect.fail()).get('/v1/nothing');
          answers.push(answer);
          expect(number(answer, 'Limit')).to.equal(limit);
          if (answer.status !== 429) continue;
          expect(number(answer, 'Remaining')).to.equal(0);
          expect(Number(answer.headers.get('Retry-After'))).to.be.within(1, windowSeconds);
          await sleep(20);
        }
      }),
    );
    const allowed = [...allowedByWindow(answers).values()];
    expect(allowed.filter((times) => times === limit).length, `${allowed}`).to.be.least(2);
    for (const times of allowed) expect(times).to.be.most(limit);
  });
});
