import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../bootstrap/support/ports.ts';
import { atExit, killAtExit } from './at-exit.ts';
import { until } from './until.ts';

/** Debian's PgBouncer in front of a server. */
export interface Pooler {
  /** Address of the same database through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Debian installs it in a folder that is not on the PATH of most users. */
const program = existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer';

/** The reason to skip, or undefined if PgBouncer is installed. */
export const missing = ((): string | undefined => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'PgBouncer is not installed (apt-get install pgbouncer)';
  }
})();

/** PgBouncer does not run as root. This user exists on every system. */
const unprivilegedUser = 65_534;
const asUser = process.getuid?.() === 0 ? { uid: unprivilegedUser, gid: unprivilegedUser } : {};

/**
 * Starts PgBouncer with minimal settings.
 * @param size connections to the server, shared by all clients
 * @param mode what clients share: a connection for each transaction by default
 */
export const startPooler = async (
  serverUrl: string,
  size: number,
  mode: 'session' | 'transaction' | 'statement' = 'transaction',
): Promise<Pooler> => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-pgbouncer-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const revoke = atExit(remove);
  await chmod(folder, 0o755);
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const port = await freePort();
  const known = [`host=${hostname}`, `port=${serverPort}`, `user=${username}`];
  if (password !== '') known.push(`password=${password}`);
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    ...['[databases]', `* = ${known.join(' ')}`, '[pgbouncer]', 'listen_addr = 127.0.0.1'],
    ...[`listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any', `pool_mode = ${mode}`],
    ...[`default_pool_size = ${size}`, 'max_client_conn = 500'],
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  const child = spawn(program, ['-q', file], { ...asUser, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  killAtExit(child);
  const through = (url: string): string => {
    const address = new URL(url);
    address.host = `127.0.0.1:${port}`;
    return address.href;
  };
  await untilReady(child, through(serverUrl));
  return {
    through,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      revoke();
      remove();
    },
  };
};

const untilReady = async (child: ChildProcess, url: string): Promise<void> => {
  let said = '';
  child.stderr?.on('data', (text) => {
    said = (said + text).slice(-2000);
  });
  const connects = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  };
  await until(connects, (isUp) => isUp);
};
