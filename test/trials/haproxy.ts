import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isFree } from '../bootstrap/support/ports.ts';
import { killAtExit } from '../support/at-exit.ts';
import { until } from '../support/until.ts';
import type { Conditions } from './trial.ts';

export const hasHaproxy = (): boolean => spawnSync('haproxy', ['-v']).status === 0;

interface BackendServer {
  readonly port: number;
  readonly opsPort: number;
}

/**
 * Starts HAProxy in front of several servers, with readiness checks and without retries, so that a client sees each dropped
 * request. @returns its port
 */
export const haproxy = async (
  { cleanUp }: Pick<Conditions, 'cleanUp'>,
  servers: readonly BackendServer[],
): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-haproxy-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const lines = servers.map(
    (server, place) =>
      `  server s${place} 127.0.0.1:${server.port} check port ${server.opsPort} inter 200ms fall 1 rise 1`,
  );
  const settings = `
defaults
  mode http
  timeout connect 1s
  timeout check 2s
  timeout client 30s
  timeout server 30s
  timeout http-keep-alive 30s
  retries 0
listen shop
  bind 127.0.0.1:${port}
  balance roundrobin
  http-reuse always
  option httpchk GET /readyz
  http-check expect status 200
${lines.join('\n')}
`;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, settings);
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  killAtExit(child);
  cleanUp.defer(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  await until(
    () => isFree(port),
    (free) => !free,
  );
  return port;
};
