import { setTimeout as pause } from 'node:timers/promises';
import { startServer } from '../bootstrap/support/server.ts';
import { Network } from '../support/network.ts';
import { freshDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { Buyers, isFitting, statuses } from './buyers.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

/**
 * In milliseconds. Among them how much later than the deadline an answer may come, and how soon behind the silence everybody
 * is served again.
 */
const lengths = {
  long: { rounds: 5, calm: 5_000, silence: 30_000, deadline: 10_000, grace: 250, soon: 6_000 },
  short: { rounds: 1, calm: 1_500, silence: 5_000, deadline: 2_500, grace: 1_000, soon: 10_000 },
};

/** How long the provider may take, beyond the deadline of everybody else, in milliseconds. */
const providersTime = 1_000;

const perServer = 24;

/** The way to the database swallows everything under load, connections included, for good; then new ones work. */
export const swallow: Trial = {
  name: 'swallow',
  says: 'The way to the database swallows every packet under load, and works again.',
  run: async ({ isShort, tell, cleanUp }: Conditions): Promise<readonly Finding[]> => {
    const { rounds, calm, silence, deadline, grace, soon } = lengths[isShort ? 'short' : 'long'];
    const database = await freshDatabase();
    cleanUp.defer(() => database.drop());
    const network = await Network.to(database.url);
    cleanUp.defer(() => network.close());
    const server = await startServer({
      DATABASE_URL: network.through(database.url),
      LOG_LEVEL: 'silent',
      REQUEST_TIMEOUT_MS: String(deadline),
      PAYMENT_TIMEOUT_MS: String(providersTime),
      IDEMPOTENCY_LEASE_MS: String(providersTime),
    });
    cleanUp.defer(() => server.program.kill());
    // Where others use the machine as well, a server is late as any timer is, and that is not the network's doing.
    const timers = watchTimers();
    cleanUp.defer(timers.stop);
    const buyers = await Buyers.begin([server], perServer);
    const recovered: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await pause(calm);
      network.swallow();
      await pause(silence);
      await network.pass();
      const back = performance.now();
      await until(
        async () => buyers.heard.filter(({ status, asked }) => status === 201 && asked > back).length,
        (done) => done >= 10 * perServer,
        30_000,
      );
      const refused = buyers.heard.filter(({ status, answered }) => status === 503 && answered > back);
      recovered.push(Math.max(0, ...refused.map(({ answered }) => answered - back)));
      tell(`Round ${round}: the last refusal ${ms(recovered.at(-1) ?? 0)} after packets flow again.`);
    }
    await buyers.end();
    timers.stop();
    const lost = await buyers.lost();
    const late = buyers.heard.map(({ path, asked, answered }) => {
      const due = asked + deadline + (path.endsWith('payments') ? providersTime : 0);
      return { by: answered - due, excused: timers.latest(due, answered) };
    });
    const worst = late.reduce((one, other) =>
      one.by - one.excused > other.by - other.excused ? one : other,
    );
    return [
      {
        expected: `every request ends within its deadline and ${grace} ms, and by how much the machine is late itself just then`,
        seen: `${buyers.heard.length} requests, the worst ${ms(worst.by)} behind its deadline, timers up to ${ms(worst.excused)} late then`,
        held: worst.by <= grace + worst.excused,
      },
      {
        expected: 'errors are 502, 503 and 504 only, and 409 to who asks again too soon for a payment',
        seen: statuses(buyers.heard),
        held: buyers.heard.every(isFitting) && buyers.heard.some(({ status }) => status === 503),
      },
      {
        expected: `nobody is refused any more ${soon / 1000} s after packets flow again`,
        seen: `the last was ${ms(Math.max(...recovered))} after`,
        held: Math.max(...recovered) <= soon,
      },
      {
        expected: 'nothing acknowledged is lost, and every replay is the same to the byte',
        seen: `${buyers.acknowledged.length} acknowledged, ${lost.length} lost${lost.length > 0 ? `, such as ${lost[0]}` : ''}`,
        held: buyers.acknowledged.length > 0 && lost.length === 0,
      },
    ];
  },
};

const interval = 10;

/** How late timers are, and when. */
const watchTimers = () => {
  const seen: { readonly due: number; readonly came: number }[] = [];
  let due = performance.now() + interval;
  const timer = setInterval(() => {
    const came = performance.now();
    if (came - due > interval) seen.push({ due, came });
    due = came + interval;
  }, interval);
  return {
    stop: () => clearInterval(timer),
    /** By how much one was late at the most that was waited for between the two, in milliseconds. */
    latest: (from: number, to: number): number =>
      seen.reduce(
        (most, { due, came }) => (due <= to && came >= from ? Math.max(most, came - due) : most),
        0,
      ),
  };
};

const ms = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;
