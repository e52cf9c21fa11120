import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { root } from '../../deploy/files.ts';
import { killAtExit } from '../../support/at-exit.ts';
import { startFlags } from '../../support/start-flags.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../support/ports.ts';

const { PATH: searchPath } = process.env;

/** A server on a pseudoterminal, which `script` makes. */
describe('A server on a terminal', () => {
  const place = temporaryFolder();

  /** Starts a server, sends a request without a credential, and stops the server. @returns all that the terminal showed */
  const shown = async (environment: Readonly<Record<string, string>> = {}): Promise<string> => {
    const port = await freePort();
    const command = [process.execPath, ...startFlags, 'bootstrap/main.mjs']
      .map((word) => `'${word}'`)
      .join(' ');
    const terminal = spawn(
      'script',
      ['--quiet', '--return', '--command', `exec ${command}`, place('typescript')],
      {
        env: {
          PATH: searchPath,
          TERM: 'xterm',
          DATABASE_URL: 'memory:',
          PORT: `${port}`,
          OPS_PORT: '0',
          SEED_DEMO: '1',
          ...environment,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    let text = '';
    terminal.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    killAtExit(terminal);
    const closed = once(terminal, 'close');
    await until(
      async () => text,
      (now) => now.includes('Try it:') && now.trimEnd().endsWith("limit=3'"),
      30_000,
    );
    await fetch(`http://127.0.0.1:${port}/v1/products`, { headers: { 'X-Request-Id': 'on-a-terminal' } });
    await until(
      async () => text,
      (now) => now.includes('on-a-terminal'),
    );
    terminal.stdin.write('\x03');
    await closed;
    return text;
  };

  it('shows readable lines, below the banner', async () => {
    const text = await shown({ NO_COLOR: '1' });
    expect(text).to.match(
      /\[\d\d:\d\d:\d\d\] INFO: GET \/v1\/products 401 UNAUTHORIZED in \d+\.\d ms \{"requestId":"on-a-terminal"/,
    );
    expect(text).not.to.include('"level":30').and.not.include('\x1b[3');
    expect(text.indexOf('Portico serves')).to.be.lessThan(text.indexOf('INFO: GET'));
  });

  it('shows the banner last, below the warnings of the start', async () => {
    await writeFile(place('.env'), 'CORS_ORIGN=https://shop.example\nRATE_LIMIT=5\n');
    const command = [process.execPath, ...startFlags, join(root, 'bootstrap/main.mjs')]
      .map((word) => `'${word}'`)
      .join(' ');
    const terminal = spawn('script', ['--quiet', '--command', `exec ${command}`, '/dev/null'], {
      cwd: place(),
      env: { PATH: searchPath, TERM: 'xterm', NO_COLOR: '1', LOG_LEVEL: 'trace', PORT: '0', OPS_PORT: '0' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    terminal.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    killAtExit(terminal);
    const closed = once(terminal, 'close');
    await until(
      async () => text,
      (now) => now.includes('Portico serves'),
      30_000,
    );
    // Long enough for what the background jobs of a start might log.
    await pause(3_000);
    const shown = text;
    terminal.stdin.write('\x03');
    await closed;
    expect(shown).to.match(
      /^\[[\d:]+\] WARN: \.env sets CORS_ORIGN,.*\s+\[[\d:]+\] WARN: \.env sets RATE_LIMIT,.*\s+Portico serves /,
    );
    expect(shown.slice(shown.indexOf('Portico serves'))).not.to.match(/WARN|INFO|DEBUG|TRACE/);
    expect(shown.trimEnd()).to.match(/ npm start$/);
  });

  it('shows them in colours unless NO_COLOR is set', async () => {
    expect(await shown()).to.include('\x1b[32mINFO\x1b[39m');
  });

  it('shows JSON with LOG_FORMAT=json', async () => {
    expect(await shown({ LOG_FORMAT: 'json' })).to.match(/^\{"level":30,.*"requestId":"on-a-terminal"/m);
  });
});
