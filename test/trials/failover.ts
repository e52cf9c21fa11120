import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { Network } from '../support/network.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { Buyers, countByStatus, isExpectedDuringOutage } from './buyers.ts';
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
    const environment = {
      DATABASE_URL: network.through(primary.url),
      LOG_LEVEL: 'silent',
      PAYMENT_TIMEOUT_MS: '1000',
      IDEMPOTENCY_LEASE_MS: '1000',
    };
    const servers: Server[] = [];
    for (const _ of ['one', 'another']) {
      const server = await startServer(environment);
      cleanUp.defer(() => server.program.kill());
      servers.push(server);
    }
    const buyers = await Buyers.begin(servers, perServer);
    const resumed: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const standby = await PostgresServer.following(primary);
      await standby.start();
      await replicateSynchronously(primary);
      await pause(calm);
      const killed = performance.now();
      await primary.kill();
      await pause(outage);
      await queryDatabase(standby, 'select pg_promote()');
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
        `Round ${round}: promoted ${ms(promoted - killed)} after the kill, both servers write again ${ms(wait)} after that.`,
      );
      await primary.remove();
      primary = standby;
      await pause(calm / 2);
    }
    await buyers.end();
    const lost = await buyers.lost();
    const twice = await queryDatabase(
      primary,
      "select order_id from payments where status = 'succeeded' group by order_id having count(*) > 1",
    );
    const unexpected = buyers.responses.filter((response) => !isExpectedDuringOutage(response));
    return [
      {
        expected: `writes resume within ${maxRecoveryMs / 1000} s of the promotion, through every server`,
        seen: `${ms(Math.max(...resumed))} at the latest, in ${rounds} round${rounds === 1 ? '' : 's'}`,
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
        seen: countByStatus(buyers.responses),
        held: unexpected.length === 0,
      },
      {
        expected: 'nothing acknowledged is lost, and every replay is the same to the byte',
        seen: `${buyers.acknowledged.length} acknowledged, ${lost.length} lost${lost.length > 0 ? `, such as ${lost[0]}` : ''}`,
        held: buyers.acknowledged.length > 0 && lost.length === 0,
      },
      { expected: 'no order is paid twice', seen: `${twice.length} are`, held: twice.length === 0 },
    ];
  },
};

/** When this server first acknowledged a write that was requested after the given time. */
const firstDone = ({ responses }: Buyers, base: string, since: number): number | undefined =>
  responses.find(
    ({ base: by, status, asked: requested }) => by === base && status === 201 && requested > since,
  )?.answered;

/** Makes replication synchronous: the standby has every acknowledged commit from now on. */
const replicateSynchronously = async (primary: PostgresServer): Promise<void> => {
  await queryDatabase(primary, "alter system set synchronous_standby_names = '*'");
  await queryDatabase(primary, 'select pg_reload_conf()');
  await until(
    () => queryDatabase(primary, "select from pg_stat_replication where sync_state = 'sync'"),
    (following) => following.length === 1,
  );
};

const queryDatabase = async ({ url }: PostgresServer, text: string): Promise<readonly object[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
};

const ms = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;
