import { mock } from 'node:test';
import { expect } from 'chai';
import { atOnce } from '../../contracts/harness.ts';
import { type ApiResponse, Client } from '../../http/support/client.ts';
import { expectProblem } from '../../http/support/protocol.ts';
import { until } from '../../support/until.ts';
import { Apps } from '../support/apps.ts';
import { describeOnEach } from '../support/places.ts';

const limit = 100;

const number = ({ headers }: ApiResponse, name: string): number => Number(headers.get(`X-RateLimit-${name}`));

/** A new key, and a client of each server that uses it. */
const callers = async (apps: Apps, count: number): Promise<readonly Client[]> => {
  const { body } = await apps.at(0).post('/v1/api-keys', { name: 'Fresh' });
  return Array.from({ length: count }, (_, i) => new Client(() => apps.at(i).base, body.data.token));
};

const ask = (clients: readonly Client[], index: number): Promise<ApiResponse> =>
  (clients[index % clients.length] ?? expect.fail()).get('/v1/nothing');

const expectNumbers = (answer: ApiResponse): void => {
  expect(number(answer, 'Limit')).to.equal(limit);
  if (answer.status === 404) expect(number(answer, 'Remaining')).to.be.within(0, limit - 1);
  else {
    expectProblem(answer, '429 RATE_LIMITED');
    expect(number(answer, 'Remaining')).to.equal(0);
    expect(Number(answer.headers.get('Retry-After'))).to.be.within(1, 60);
  }
};

describeOnEach('The rate limit of two servers that share a database', (place) => {
  const apps = new Apps();
  const monotonic = performance.now.bind(performance);
  let aheadMs = 0;
  before(async () => {
    mock.method(performance, 'now', () => monotonic() + aheadMs);
    await apps.startMany(2, {
      DATABASE_URL: place.url,
      RATE_LIMIT_MAX: `${limit}`,
      RATE_LIMIT_WINDOW_SECONDS: '60',
    });
  });
  after(async () => {
    await apps.end();
    mock.restoreAll();
  });

  it('is exact when both get requests at once', async () => {
    const clients = await callers(apps, 2);
    const answers = await Promise.all(atOnce(limit + 60, (index) => ask(clients, index)));
    const allowed = () => answers.filter(({ status }) => status === 404).length;
    // On a busy machine the unused quota of one server may reach the other a little late.
    for (let more = 0; allowed() < limit && more < 100; more += 1) answers.push(await ask(clients, more));
    for (let more = 0; more < 10; more += 1) answers.push(await ask(clients, more));
    answers.forEach(expectNumbers);
    expect(allowed()).to.equal(limit);
    expect(new Set(answers.map((answer) => number(answer, 'Reset'))).size).to.equal(1);
  });

  it('is reported without the quota that the other has leased: at most 1 % while half is left, and nothing later', async () => {
    const clients = await callers(apps, 2);
    let asked = 0;
    const remaining = async (index: number): Promise<number> => {
      const answer = await ask(clients, index);
      asked += 1;
      expectNumbers(answer);
      return number(answer, 'Remaining');
    };
    for (let index = 0; index < 6; index += 1) await remaining(index);
    await until(
      async () => (await remaining(0)) - (limit - asked),
      (missing) => missing <= 0 && missing >= -limit / 100,
    );
    while (asked < limit / 2 + 5) await remaining(0);
    // The first gets no more requests; the second can lease the quota that it returns.
    await until(
      async () => (await remaining(1)) - (limit - asked),
      (missing) => missing === 0,
    );
  });

  it('is that of the key where it has one, and another one within five seconds in both', async () => {
    const made = await apps.at(0).post('/v1/api-keys', { name: 'Own limit', rate_limit: 7 });
    const { id, token } = made.body.data;
    const clients = [0, 1].map((index) => new Client(() => apps.at(index).base, token));
    const allowedOf = async (requests: number, expected: number): Promise<number> => {
      let allowed = 0;
      for (let index = 0; index < requests; index += 1) {
        const answer = await ask(clients, index);
        expect(number(answer, 'Limit')).to.equal(expected);
        if (answer.status === 404) allowed += 1;
      }
      return allowed;
    };
    const change = async (rate_limit: number): Promise<void> => {
      const changed = await apps.at(1).patch(`/v1/api-keys/${id}`, { rate_limit });
      expect(changed.status).to.equal(200);
      aheadMs += 5_000;
    };
    expect(await allowedOf(11, 7)).to.equal(7);
    await change(12);
    expect(await allowedOf(9, 12)).to.equal(5);
    await change(10);
    expect(await allowedOf(3, 10)).to.equal(0);
  });

  it('is returned by a server that is closed', async () => {
    const clients = await callers(apps, 2);
    const first = await ask(clients, 1);
    await apps.stop(1);
    const second = await ask(clients, 0);
    expect(number(second, 'Remaining')).to.equal(limit - 2);
    expect(number(second, 'Reset')).to.equal(number(first, 'Reset'));
  });
});
