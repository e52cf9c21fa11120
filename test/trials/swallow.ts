import { setTimeout as pause } from 'node:timers/promises';
import { startServer } from '../bootstrap/support/server.ts';
import { openDatabase } from '../lab/databases.ts';
import { inMilliseconds } from '../lab/report.ts';
import { Network } from '../support/network.ts';
import { until } from '../support/until.ts';
import { Buyers, countByStatus, isExpectedDuringOutage, startProvider } from './buyers.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

/**
 * In milliseconds. `grace` bounds how long after the deadline a response may arrive, and `maxRecovery` how long after the outage
 * requests may fail.
 */
const lengths = {
  long: { rounds: 5, calm: 5_000, silence: 30_000, deadline: 10_000, grace: 250, maxRecovery: 6_000 },
  short: { rounds: 1, calm: 1_500, silence: 5_000, deadline: 2_500, grace: 1_000, maxRecovery: 10_000 },
};

/** Added to the deadline of a payment, for the provider. */
const paymentTimeoutMs = 1_000;

const perServer = 24;

/** The network to the database drops every packet of existing connections under load; later, new connections work. */
export const swallow: Trial = {
  name: 'swallow',
  description: 'drops every packet to the database under load, then lets new connections work',
  run: async ({ isShort, log, cleanUp }: Conditions): Promise<readonly Finding[]> => {
    const { rounds, calm, silence, deadline, grace, maxRecovery } = lengths[isShort ? 'short' : 'long'];
    const database = await openDatabase('postgres', { cleanUp });
    const network = await Network.to(database.url);
    cleanUp.defer(() => network.close());
    const { provider, settings } = await startProvider({ cleanUp });
    const server = await startServer({
      ...settings,
      DATABASE_URL: network.through(database.url),
      LOG_LEVEL: 'silent',
      REQUEST_TIMEOUT_MS: String(deadline),
      PAYMENT_TIMEOUT_MS: String(paymentTimeoutMs),
      IDEMPOTENCY_LEASE_MS: String(paymentTimeoutMs),
    });
    cleanUp.defer(() => server.program.kill());
    // On a busy machine every timer is late; that lateness is not counted as the server's.
    const timers = watchTimers();
    cleanUp.defer(timers.stop);
    const buyers = await Buyers.begin([server], perServer, { log });
    const recovered: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await pause(calm);
      network.swallow();
      await pause(silence);
      await network.pass();
      const back = performance.now();
      await until(
        async () => buyers.attempts.filter(({ status, sentAt }) => status === 201 && sentAt > back).length,
        (done) => done >= 10 * perServer,
        30_000,
      );
      const rejected = buyers.attempts.filter(({ status, endedAt }) => status === 503 && endedAt > back);
      recovered.push(Math.max(0, ...rejected.map(({ endedAt }) => endedAt - back)));
      log(`Round ${round}: the last 503 ${inMilliseconds(recovered.at(-1) ?? 0)} after packets flow again.`);
    }
    await buyers.end();
    timers.stop();
    const attempts = [...buyers.attempts];
    const late = attempts.map(({ path, sentAt, endedAt }) => {
      const due = sentAt + deadline + (path.endsWith('payments') ? paymentTimeoutMs : 0);
      return { by: endedAt - due, excused: timers.latest(due, endedAt) };
    });
    const worst = late.reduce((one, other) =>
      one.by - one.excused > other.by - other.excused ? one : other,
    );
    return [
      {
        expected: `every request ends within its deadline and ${grace} ms, and the lateness of timers at that time`,
        seen: `${late.length} requests, the worst ${inMilliseconds(worst.by)} after its deadline, timers up to ${inMilliseconds(worst.excused)} late then`,
        held: worst.by <= grace + worst.excused,
        isTimed: true,
      },
      {
        expected: 'errors are 502, 503 and 504 only, and 409 for a retry while the payment is in progress',
        seen: countByStatus(attempts),
        held: attempts.every(isExpectedDuringOutage) && attempts.some(({ status }) => status === 503),
      },
      {
        expected: `no request fails later than ${maxRecovery / 1000} s after packets flow again`,
        seen: `the last was ${inMilliseconds(Math.max(...recovered))} after`,
        held: Math.max(...recovered) <= maxRecovery,
        isTimed: true,
      },
      await buyers.judged(provider, database),
    ];
  },
};

const intervalMs = 10;

/** Records when timers are late, and by how much. */
const watchTimers = () => {
  const seen: { readonly due: number; readonly fired: number }[] = [];
  let due = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const fired = performance.now();
    if (fired - due > intervalMs) seen.push({ due, fired });
    due = fired + intervalMs;
  }, intervalMs);
  return {
    stop: () => clearInterval(timer),
    /** The maximum lateness of timers that were due or fired between the two times, in milliseconds. */
    latest: (from: number, to: number): number =>
      seen.reduce(
        (max, { due, fired }) => (due <= to && fired >= from ? Math.max(max, fired - due) : max),
        0,
      ),
  };
};
