import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { commands } from '#bootstrap/cli/commands/all.ts';
import { Client } from '../../http/support/client.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { type Ended, ending, portico } from '../support/portico.ts';

/** Commands that another test runs as programs. */
const elsewhere: Readonly<Record<string, string>> = {
  backup: '../../deploy/backup',
  restore: '../../deploy/backup',
  'migrate status': 'closed-pipes',
  'users list': 'closed-pipes',
  'keys create': 'closed-pipes',
  'keys list': 'closed-pipes',
  'orders list': 'closed-pipes',
  'export products': 'closed-pipes',
  seed: 'closed-pipes',
  openapi: 'closed-pipes',
  'import products': 'import',
  listen: 'listen',
  'webhooks test': 'webhooks-test',
  conformance: 'conformance',
};

const unknown = '01a4b1cf-5d0c-7000-8000-000000000000';

describe('Every command', () => {
  const place = temporaryFolder();
  const ran = new Set<string>();
  const settings = () => ({ DATABASE_URL: `sqlite:${place('shop.db')}`, PORT: '0', OPS_PORT: '0' });
  const run = (name: string, ...words: readonly string[]): Promise<Ended> => {
    ran.add(name);
    return ending(portico([...name.split(' '), ...words], { settings: settings(), folder: place() }));
  };

  it('works as a program: it opens a database, prints, and ends with its exit code', async () => {
    expect((await run('migrate up')).output).to.match(/^applied {2}0001-baseline\n/);
    const ada = ['--email', 'ada@example.com', '--name', 'Ada'];
    expect((await run('users create', ...ada)).code).to.equal(0);
    expect((await run('doctor')).output).to.match(/^ok {4}migrations +the tables are up to date$/m);
    expect((await run('settings', '--format', 'env')).output).to.match(
      /^DATABASE_URL=sqlite:data\/portico\.db$/m,
    );
    expect((await run('reindex')).errors).to.equal('Compared 0 products: 0 reindexed.\n');
    expect((await run('feed renew')).errors).to.match(/^The feed of events is now \S+\.\n$/);
    expect((await run('webhooks list')).errors).to.match(/^No webhook endpoints found\./);
    for (const [name, ...words] of [
      ['webhooks replay', unknown, '--from', '1'],
      ['payments settle', unknown],
      ['keys update', unknown, '--name', 'Page'],
    ] as const) {
      const { code, output, errors } = await run(name, ...words);
      expect([code, output], name).to.deep.equal([1, '']);
      expect(errors, name).to.match(
        new RegExp(
          `^portico: There is no (key|webhook endpoint|payment, refund or capture) ${unknown}\\.[^\n]*\n$`,
        ),
      );
    }
  });

  it('can be a server, which accepts keys of other programs until they revoke them, and ends on SIGTERM', async () => {
    const made = await ending(portico(['keys', 'create', '--admin', '--json'], { settings: settings() }));
    const { token, id } = JSON.parse(made.output);
    ran.add('start');
    const server = portico(['start'], { settings: { ...settings(), LOG_LEVEL: 'warn' } });
    try {
      const [, url = ''] = await server.printed(/^Portico serves (http:\S+)\/v1\n/);
      const client = new Client(() => url, token);
      expect((await client.get('/v1/users')).status).to.equal(200);
      expect((await run('keys revoke', id)).code).to.equal(0);
      await until(
        async () => (await client.get('/v1/users')).status,
        (status) => status === 401,
      );
      server.signal('SIGTERM');
      expect(await server.ended()).to.equal(0);
      expect(server.errors).to.equal('');
      expect(server.output).to.not.include('ptc_');
    } finally {
      await server.kill();
    }
  });

  it('is run as a program by this test or another one', () => {
    expect([...ran, ...Object.keys(elsewhere)]).to.have.members(Object.keys(commands));
    for (const [name, file] of Object.entries(elsewhere)) {
      const text = readFileSync(join(import.meta.dirname, `${file}.e2e.test.ts`), 'utf8');
      const [first = '', second = ''] = name.split(' ');
      expect(text, name).to.match(new RegExp(`'${first}', '${second}'|['\` ]${name}['\` ]`));
    }
  });
});
