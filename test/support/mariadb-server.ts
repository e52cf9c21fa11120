import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Connection, createConnection } from 'mysql2/promise';
import { freePort } from '../bootstrap/support/ports.ts';
import { atExit } from './at-exit.ts';
import { databasesFolder } from './databases-folder.ts';
import { untilFrozen } from './frozen.ts';
import { until } from './until.ts';

export type DatabaseRow = Readonly<Record<string, unknown>>;

const run = promisify(execFile);

const recoveredPosition = /Recovered position: ?(\S+)\n/;

/** Debian's folders of programs. A user that is not root has the second one in no path. */
const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];

const programAt = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((file) => existsSync(file));

/** Why MariaDB cannot be tested here; undefined when it can. */
export const mariadbIsMissing: string | undefined =
  programAt('mariadbd') && programAt('mariadb-install-db')
    ? undefined
    : 'MariaDB is not installed (Debian: mariadb-server)';

const isRoot = process.getuid?.() === 0;

/** MariaDB runs as this user of Debian's package where root starts it. */
const asUser = isRoot ? ['--user=mysql'] : [];

/** A MariaDB server in a folder of its own, on 127.0.0.1. It can be stopped, killed and restarted. */
export class MariaDbServer {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** Revokes what is to be done when this process exits. */
  readonly #revoke: () => void;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    this.url = `mariadb://portico@127.0.0.1:${port}/mysql`;
    this.#revoke = atExit(() => {
      this.#child?.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    });
  }

  /** Creates a server without starting it. @param settings additional lines of its configuration */
  static async make(settings: readonly string[] = []): Promise<MariaDbServer> {
    if (mariadbIsMissing !== undefined) throw new Error(mariadbIsMissing);
    const folder = await mkdtemp(join(databasesFolder(), 'portico-mariadb-'));
    await chmod(folder, 0o755);
    if (isRoot) {
      const [user, group] = await Promise.all(['-u', '-g'].map((part) => run('id', [part, 'mysql'])));
      await chown(folder, Number(user?.stdout), Number(group?.stdout));
    }
    const server = new MariaDbServer(folder, await freePort());
    // The tables are installed without the additional settings, such as those of a cluster.
    await writeFile(server.#defaultsFile, server.#configuration());
    await run(programAt('mariadb-install-db') ?? '', [
      `--defaults-file=${server.#defaultsFile}`,
      ...asUser,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]);
    await appendFile(server.#defaultsFile, [...settings, ''].join('\n'));
    // A grant to a user without a password creates none in every version.
    const statements = [
      "create user if not exists 'portico'@'127.0.0.1';",
      "grant all on *.* to 'portico'@'127.0.0.1' with grant option;",
    ];
    await writeFile(join(folder, 'grant.sql'), statements.join('\n'));
    return server;
  }

  get id(): number | undefined {
    return this.#child?.pid;
  }

  /** @param args additional arguments @param ready whether to wait until the server accepts connections */
  async start(args: readonly string[] = [], ready = true): Promise<void> {
    const child = spawn(
      programAt('mariadbd') ?? '',
      [`--defaults-file=${this.#defaultsFile}`, ...asUser, ...args],
      { cwd: this.folder, stdio: 'ignore' },
    );
    this.#child = child;
    // The server ends with this process and must not keep it running.
    child.unref();
    if (ready) await this.#untilReady(child);
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Kills the server, as in a crash. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Where a stopped member of a Galera cluster can join again. */
  async recoveredPosition(): Promise<string> {
    const log = join(this.folder, 'recovery.err');
    await rm(log, { force: true });
    // It is killed once it has logged the position, because it sometimes hangs behind that, in InnoDB's shutdown.
    await this.start(['--wsrep-recover', `--log-error=${log}`], false);
    const text = await until(
      () => readFile(log, 'utf8').catch(() => ''),
      (lines) => recoveredPosition.test(lines),
      60_000,
    );
    await this.kill();
    return recoveredPosition.exec(text)?.[1] ?? '';
  }

  /** The last lines of its log. */
  async log(): Promise<string> {
    return (await readFile(join(this.folder, 'log.err'), 'utf8')).slice(-2_000);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Stops every thread. The signal alone lets a thread that runs serve one more query. `SIGCONT` lets them go on. */
  async freeze(): Promise<void> {
    this.signal('SIGSTOP');
    await untilFrozen(this.id);
  }

  async remove(): Promise<void> {
    await this.kill();
    this.#revoke();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  get #defaultsFile(): string {
    return join(this.folder, 'my.cnf');
  }

  /** Test data need not survive a power loss, so the server never waits for the disk. */
  #configuration(): string {
    return [
      '[mariadbd]',
      `datadir = ${join(this.folder, 'data')}`,
      `socket = ${join(this.folder, 'socket')}`,
      `pid-file = ${join(this.folder, 'pid')}`,
      `log-error = ${join(this.folder, 'log.err')}`,
      // A server that starts removes the temporary tables of this folder, those of other servers too.
      `tmpdir = ${this.folder}`,
      `port = ${this.port}`,
      'bind-address = 127.0.0.1',
      'skip-name-resolve = 1',
      `init-file = ${join(this.folder, 'grant.sql')}`,
      'max-connections = 400',
      'innodb-buffer-pool-size = 32M',
      'innodb-log-file-size = 16M',
      'innodb-flush-log-at-trx-commit = 0',
      'innodb-flush-method = nosync',
      '',
    ].join('\n');
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!(await greets(this.port))) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`MariaDB did not start: see ${join(this.folder, 'log.err')}.`);
      await pause(20);
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.ref();
    child.kill(signal);
    await gone;
  }
}

/** Connects to a database. Double quotes are for names, as in other databases. A cluster's node applies every commit first. */
export const connectTo = async (url: string, timeoutMs = 30_000): Promise<Connection> => {
  const connection = await createConnection({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    connectTimeout: timeoutMs,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    // As the rows of a table have it.
    typeCast: (field, next) => {
      if (field.type !== 'DATETIME') return next();
      const text = field.string();
      return text && new Date(`${text.replace(' ', 'T')}Z`).toISOString();
    },
  });
  const settings = "set sql_mode = concat(@@sql_mode, ',ANSI_QUOTES'), wsrep_sync_wait = 1";
  try {
    await connection.query({ sql: settings, timeout: timeoutMs });
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
};

/**
 * Runs a statement on a new connection.
 * @param timeoutMs of connecting and of the statement, in milliseconds: a frozen server would never respond
 */
export const runStatement = async (
  url: string,
  text: string,
  timeoutMs = 30_000,
): Promise<readonly DatabaseRow[]> => {
  const connection = await connectTo(url, timeoutMs);
  try {
    const [rows] = await connection.query({ sql: text, timeout: timeoutMs });
    await connection.end();
    return Array.isArray(rows) ? (rows as DatabaseRow[]) : [];
  } catch (error) {
    connection.destroy();
    throw error;
  }
};

/** Whether a server greets its clients, which it does once it accepts them. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('data', end(true)).once('error', end(false)).once('close', end(false));
  });
