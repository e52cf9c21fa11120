import { setTimeout as pause } from 'node:timers/promises';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { inMilliseconds } from '../lab/report.ts';
import { Network } from '../support/network.ts';
import { queryPostgres } from '../support/postgres.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { Buyers, countByStatus, isExpectedDuringOutage, startProvider } from './buyers.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

const lengths = {
  long: { rounds: 5, calm: 10_000, outage: 3_000 },
  short: { rounds: 1, calm: 2_000, outage: 500 },
};

/** Bounds the time from the promotion to the first write. */
const maxRecoveryMs = 5_000;

const perServer = 8;

/** Kills the primary under load and promotes its standby behind a proxy. */
export const failover: Trial = {
  name: 'failover',
  description: 'kills the primary under load and promotes its synchronous standby',
  run: async ({ isShort, log, cleanUp }: Conditions): Promise<readonly Finding[]> => {
    const { rounds, calm, outage } = lengths[isShort ? 'short' : 'long'];
    let primary = await PostgresServer.make();
    cleanUp.defer(() => primary.remove());
    await primary.start();
    const network = await Network.to(primary.url);
    cleanUp.defer(() => network.close());
    const { provider, settings } = await startProvider({ cleanUp });
    const environment = {
      ...settings,
      DATABASE_URL: network.through(primary.url),
      LOG_LEVEL: 'silent',
      PAYMENT_TIMEOUT_MS: '1000',
      IDEMPOTENCY_LEASE_MS: '1000',
    };
    const start = async (): Promise<Server> => {
      const server = await startServer(environment);
      cleanUp.defer(() => server.program.kill());
      return server;
    };
    const servers = [await start(), await start()] as const;
    const buyers = await Buyers.begin(servers, perServer, { log });
    const resumed: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const standby = await PostgresServer.following(primary);
      await standby.start();
      await replicateSynchronously(primary);
      await pause(calm);
      const killed = performance.now();
      await primary.kill();
      await pause(outage);
      await queryPostgres(standby.url, 'select pg_promote()');
      network.pointTo(standby.url);
      const promoted = performance.now();
      const back = await until(
        async () => servers.map(({ client }) => firstDone(buyers, client.base, promoted)),
        (each) => each.every((time) => time !== undefined),
        30_000,
      );
      const wait = Math.max(...back.map((time) => (time ?? Number.POSITIVE_INFINITY) - promoted));
      resumed.push(wait);
      log(
        `Round ${round}: promoted ${inMilliseconds(promoted - killed)} after the kill, both servers write again ${inMilliseconds(wait)} after that.`,
      );
      await primary.remove();
      primary = standby;
      await pause(calm / 2);
    }
    await buyers.end();
    const attempts = [...buyers.attempts];
    const { url } = primary;
    return [
      {
        expected: `writes resume within ${maxRecoveryMs / 1000} s of the promotion, through every server`,
        seen: `${inMilliseconds(Math.max(...resumed))} at the latest, in ${rounds} round${rounds === 1 ? '' : 's'}`,
        held: Math.max(...resumed) <= maxRecoveryMs,
        isTimed: true,
      },
      {
        expected: 'no server ends',
        seen: `${servers.filter(({ program }) => program.code === undefined).length} of ${servers.length} still run`,
        held: servers.every(({ program }) => program.code === undefined),
      },
      {
        expected: 'errors are 502, 503 and 504 only, and 409 for a retry while the payment is in progress',
        seen: countByStatus(attempts),
        held: attempts.every(isExpectedDuringOutage),
      },
      await buyers.judged(provider, { url, query: (text) => queryPostgres(url, text) }),
    ];
  },
};

/** When this server first acknowledged a write that was requested after the given time. */
const firstDone = ({ attempts }: Buyers, base: string, since: number): number | undefined =>
  attempts.find(({ server, status, sentAt }) => server === base && status === 201 && sentAt > since)?.endedAt;

/** Makes replication synchronous: the standby has every acknowledged commit from now on. */
const replicateSynchronously = async ({ url }: PostgresServer): Promise<void> => {
  await queryPostgres(url, "alter system set synchronous_standby_names = '*'");
  await queryPostgres(url, 'select pg_reload_conf()');
  await until(
    () => queryPostgres(url, "select from pg_stat_replication where sync_state = 'sync'"),
    (following) => following.length === 1,
  );
};
