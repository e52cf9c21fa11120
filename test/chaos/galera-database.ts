import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import type { Row } from '../lab/databases.ts';
import { GaleraCluster } from '../support/galera.ts';
import { portOf, startBalancer } from '../support/galera-balancer.ts';
import { runStatement } from '../support/mariadb-server.ts';
import type { Disturbance, DisturbedDatabase } from './disturbed-database.ts';

/** How long a query is tried on one node after the other, in milliseconds: longer than all of them take to start again. */
const queryTimeoutMs = 90_000;

/** How often each happens. Nothing gets done while all nodes are killed, so that is rare. */
const weights = { killedNodes: 6, frozenNodes: 4, killedClusters: 1 };

/**
 * Each server prefers a node of its own. At most one node at a time is killed or frozen, or all are killed, and they join again
 * before the next disturbance.
 */
export const createGaleraDatabase = async (): Promise<DisturbedDatabase> => {
  const cluster = await GaleraCluster.start();
  await cluster.createDatabase('portico');
  const balancers = [await startBalancer(cluster, 1), await startBalancer(cluster, 2)] as const;
  const [url, secondUrl] = balancers.map(
    (balancer) => `mariadb://portico@127.0.0.1:${portOf(balancer)}/portico`,
  );
  let recovery: Promise<void> = Promise.resolve();

  const disturbances: Record<keyof typeof weights, (random: Random) => Promise<() => Promise<void>>> = {
    killedNodes: async (random) => {
      const victim = random.below(3);
      await cluster.kill(victim);
      return () => cluster.rejoin(victim);
    },
    // For less than a second the others wait; after that they go on without the node.
    frozenNodes: async (random) => {
      const victim = random.below(3);
      cluster.freeze(victim);
      await pause(random.between(500, 6_000));
      return () => cluster.unfreeze(victim);
    },
    killedClusters: async () => {
      await cluster.killAll();
      return () => cluster.bootstrap();
    },
  };

  const query = async (text: string): Promise<readonly Row[]> => {
    const deadline = performance.now() + queryTimeoutMs;
    for (;;) {
      try {
        return await runStatement(cluster.url(cluster.up[0] ?? 0, 'portico'), text, 10_000);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await pause(200);
      }
    }
  };

  return {
    url: url ?? '',
    ...(secondUrl !== undefined && { secondUrl }),
    query,
    execute: query,
    disturb: async (_age, random): Promise<Disturbance> => {
      await recovery;
      const kind = random.weighted(weights);
      const recover = await disturbances[kind](random);
      recovery = recover();
      // The next disturbance, or the end of the round, throws what it rejects with.
      recovery.catch(() => undefined);
      return kind;
    },
    recovered: () => recovery,
    remove: async () => {
      await recovery.catch(() => undefined);
      for (const balancer of balancers) balancer.close();
      await cluster.remove();
    },
  };
};
