import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { GaleraCluster } from './galera.ts';

/** How long a node may take to say that it serves, in milliseconds. */
const healthCheckTimeoutMs = 500;

/**
 * Starts a load balancer, which connects to one node while that serves, and to another otherwise. While none does, it closes the
 * connection, as HAProxy does.
 */
export const startBalancer = async (cluster: GaleraCluster, preferred: number): Promise<Server> => {
  const serving = async (): Promise<number | undefined> => {
    for (const index of [preferred, ...cluster.up.filter((other) => other !== preferred)])
      if (cluster.up.includes(index) && (await isReady(cluster, index))) return index;
    return undefined;
  };
  const balancer = createServer((client) => {
    client.on('error', () => client.destroy());
    void serving().then((index) => {
      if (index === undefined) {
        client.destroy();
        return;
      }
      const node = connect(cluster.server(index).port, '127.0.0.1');
      client.pipe(node).pipe(client);
      node.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('close', () => node.destroy());
    });
  });
  await once(balancer.listen(0, '127.0.0.1'), 'listening');
  return balancer;
};

export const portOf = (balancer: Server): number => (balancer.address() as AddressInfo).port;

/** Whether a node belongs to the majority and has all its commits, as the health check of a load balancer asks. */
const isReady = async (cluster: GaleraCluster, index: number): Promise<boolean> => {
  const reading = cluster.query(index, "show status like 'wsrep_ready'", healthCheckTimeoutMs);
  const rows = await reading.catch(() => []);
  return Object.values(rows[0] ?? {}).includes('ON');
};
