import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { anOrder } from '../bootstrap/composition/metered.ts';
import { appsOfEachTest } from '../bootstrap/support/apps.ts';
import { pay } from '../http/support/shop.ts';
import { temporaryFolder } from '../support/temporary.ts';

const run = promisify(execFile);

/** The commands of the section, without those that other tests run. */
const commands = [
  ...(
    /## The first five minutes\n(.*?)\n## /s.exec(
      readFileSync('docs/operations/a-bad-night.md', 'utf8'),
    )?.[1] ?? ''
  ).matchAll(/^ *```sh\n(.*?)^ *```$/gms),
]
  .flatMap(([, text = '']) => text.trim().split(/\n\s*/))
  .filter((command) => !command.startsWith('portico'));

describe('The first five minutes of a bad night, pasted,', () => {
  const place = temporaryFolder();
  const apps = appsOfEachTest({ OPS_PORT: '', LOG_LEVEL: 'info' });

  it('show the process, what clients get, the warnings, and whether money is waiting', async () => {
    const database = place('shop.db');
    const { app, client, log } = await apps.start({ DATABASE_URL: `sqlite:${database}` });
    /** Runs a command at this server, with its log in place of the journal. */
    const paste = async (command: string): Promise<string> => {
      writeFileSync(place('log'), `not JSON\n${log.text}`);
      const here = command
        .replace('http://127.0.0.1:9090', app.opsUrl ?? '')
        .replace(/journalctl -u portico --since -\w+ -o cat/, `cat '${place('log')}'`);
      expect(here).not.to.equal(command);
      return (await run('sh', ['-c', here])).stdout;
    };
    expect(commands).to.have.lengthOf(5);
    const [alive = '', ready = '', statuses = '', warnings = '', money = ''] = commands;

    expect(await paste(alive)).to.include(`${process.pid}`);
    expect(await paste(ready)).to.match(/^ready$/m);
    expect((await pay(client, await anOrder(client))).status).to.equal(201);
    const metrics = (await paste(money)).trimEnd().split('\n');
    expect(metrics).to.include.members([
      'portico_provider_calls_total{operation="charge",outcome="succeeded"} 1',
      'portico_database_up 1',
    ]);
    expect(metrics.filter((metric) => metric.endsWith(' 0'))).to.deep.equal([]);

    rmSync(database);
    const rejected = await client.post('/v1/users', { name: 'Ada', email: 'ada@example.com' });
    expect(rejected.status).to.equal(503);
    expect(await paste(ready)).to.match(/database/);
    expect(await paste(statuses)).to.match(/^ *1 503 database_unavailable \/v1\/users$/m);
    expect(await paste(warnings)).to.match(/^ *1 A request failed\.$/m);
  });
});
