import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../bootstrap/support/ports.ts';
import { type DatabaseRow, MariaDbServer, mariadbIsMissing, runStatement } from './mariadb-server.ts';
import { until } from './until.ts';

const provider = '/usr/lib/galera/libgalera_smm.so';

/** Why a Galera cluster cannot be tested here; undefined when it can. */
export const galeraIsMissing: string | undefined =
  mariadbIsMissing ??
  (existsSync(provider) && existsSync('/usr/bin/rsync')
    ? undefined
    : 'Galera is not installed (Debian: galera-4, rsync)');

/** How long a node may take to join, in milliseconds. */
const joinTimeoutMs = 60_000;

/** One node of a cluster. */
interface Node {
  readonly server: MariaDbServer;
  readonly groupPort: number;
}

/** A Galera cluster on 127.0.0.1. Each node has ports of its own for its group, for incremental and for full transfers. */
export class GaleraCluster {
  readonly #nodes: readonly Node[];
  readonly #down = new Set<number>();

  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  /** Starts a cluster, one node after the other. @param size the number of nodes */
  static async start(size = 3): Promise<GaleraCluster> {
    const ports: number[] = [];
    for (let count = 0; count < 3 * size; count += 1) ports.push(await freePort());
    const groupPorts = ports.slice(0, size);
    const members = groupPorts.map((port) => `127.0.0.1:${port}`).join(',');
    const nodes: Node[] = [];
    for (const [index, groupPort] of groupPorts.entries()) {
      const [incremental = 0, full = 0] = ports.slice(size + 2 * index);
      const server = await MariaDbServer.make(settingsOf({ index, members, groupPort, incremental, full }));
      nodes.push({ server, groupPort });
    }
    const cluster = new GaleraCluster(nodes);
    for (const index of nodes.keys()) {
      await cluster.server(index).start(index === 0 ? ['--wsrep-new-cluster'] : [], false);
      await cluster.untilSynced(index);
    }
    return cluster;
  }

  /** The URL of a database on one node. */
  url(index: number, database: string): string {
    return this.server(index).url.replace(/\/mysql$/, `/${database}`);
  }

  server(index: number): MariaDbServer {
    const node = this.#nodes[index];
    if (node === undefined) throw new RangeError(`There is no node ${index}.`);
    return node.server;
  }

  /** @param timeoutMs of connecting and of the statement, in milliseconds */
  query(index: number, text: string, timeoutMs?: number): Promise<readonly DatabaseRow[]> {
    return runStatement(this.server(index).url, text, timeoutMs);
  }

  /** Creates an empty database, and waits until each node has it: a connection that names an unknown one is rejected. */
  async createDatabase(name: string): Promise<void> {
    await this.query(0, `create database ${name}`);
    const isThere = `select 1 from information_schema.schemata where schema_name = '${name}'`;
    for (const index of this.up) {
      await until(
        () => this.query(index, isThere),
        ({ length }) => length === 1,
      );
    }
  }

  /** Kills a node, as in a crash. */
  async kill(index: number): Promise<void> {
    this.#down.add(index);
    await this.server(index).kill();
  }

  /** Freezes a node, as a machine that hangs or swaps. */
  async freeze(index: number): Promise<void> {
    this.#down.add(index);
    await this.server(index).freeze();
  }

  /** Lets a frozen node go on, and waits until it has what it has missed. */
  async unfreeze(index: number): Promise<void> {
    this.server(index).signal('SIGCONT');
    this.#down.delete(index);
    await this.untilWhole();
  }

  /** Kills all nodes at once, as a power cut. */
  async killAll(): Promise<void> {
    await Promise.all(this.#nodes.keys().map((index) => this.kill(index)));
  }

  /** Starts a cluster again whose nodes were all killed: first the node that has every commit, then the others. */
  async bootstrap(): Promise<void> {
    const positions = await Promise.all(this.#nodes.map(({ server }) => server.recoveredPosition()));
    const commits = positions.map((position) => Number(position.split(':')[1]));
    const first = commits.indexOf(Math.max(...commits));
    await this.#allowBootstrap(first);
    const position = `--wsrep-start-position=${positions[first]}`;
    await this.server(first).start(['--wsrep-new-cluster', position], false);
    await this.untilSynced(first);
    this.#down.delete(first);
    for (const index of this.#nodes.keys()) if (index !== first) await this.rejoin(index);
  }

  /** A node that was killed does not know that it has every commit, so an operator says it. */
  async #allowBootstrap(index: number): Promise<void> {
    const file = join(this.server(index).folder, 'data', 'grastate.dat');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('safe_to_bootstrap: 0', 'safe_to_bootstrap: 1'));
  }

  /** The nodes that are not killed or frozen, and have joined again if they were. */
  get up(): readonly number[] {
    return [...this.#nodes.keys()].filter((index) => !this.#down.has(index));
  }

  /** Starts a node again that was killed: from where it was, by what InnoDB has recovered. */
  async rejoin(index: number): Promise<void> {
    const position = await this.server(index).recoveredPosition();
    await this.server(index).start([`--wsrep-start-position=${position}`], false);
    await this.untilSynced(index);
    this.#down.delete(index);
  }

  untilSynced(index: number): Promise<void> {
    return this.#untilStatus(index, 'wsrep_local_state_comment', 'Synced');
  }

  /** Waits until the nodes that are up are one cluster, in which each has every commit. */
  async untilWhole(): Promise<void> {
    const size = `${this.up.length}`;
    for (const index of this.up) {
      await this.#untilStatus(index, 'wsrep_cluster_size', size);
      await this.untilSynced(index);
    }
  }

  async #untilStatus(index: number, name: string, value: string): Promise<void> {
    const deadline = Date.now() + joinTimeoutMs;
    for (;;) {
      const rows = await this.query(index, `show status like '${name}'`, 5_000).catch(() => []);
      if (Object.values(rows[0] ?? {}).includes(value)) return;
      if (Date.now() > deadline)
        throw new Error(`Node ${index} did not join: ${await this.server(index).log()}`);
      await pause(100);
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.#nodes.map(({ server }) => server.remove()));
  }
}

interface NodeSettings {
  readonly index: number;
  readonly members: string;
  readonly groupPort: number;
  readonly incremental: number;
  readonly full: number;
}

/** With Galera's own timeouts one dead node would hold up all commits for five seconds, as long as a statement may take. */
const settingsOf = ({ index, members, groupPort, incremental, full }: NodeSettings): string[] => [
  'binlog-format = ROW',
  'innodb-autoinc-lock-mode = 2',
  // What is committed outlives a kill of all nodes at once.
  'innodb-flush-log-at-trx-commit = 1',
  'wsrep-on = ON',
  `wsrep-provider = ${provider}`,
  `wsrep-cluster-address = gcomm://${members}`,
  'wsrep-cluster-name = portico',
  `wsrep-node-name = node${index}`,
  'wsrep-node-address = 127.0.0.1',
  'wsrep-sst-method = rsync',
  `wsrep-sst-receive-address = 127.0.0.1:${full}`,
  `wsrep-provider-options = "base_port=${groupPort}; gmcast.listen_addr=tcp://127.0.0.1:${groupPort}; ist.recv_addr=127.0.0.1:${incremental}; evs.keepalive_period=PT0.3S; evs.inactive_check_period=PT0.3S; evs.suspect_timeout=PT1S; evs.inactive_timeout=PT3S; gcache.size=32M"`,
];
