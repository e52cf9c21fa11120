import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Client } from '../../http/support/client.ts';
import { until } from '../../support/until.ts';
import { describeOnEach } from '../support/places.ts';
import { type Ended, runHere } from '../support/portico.ts';

describeOnEach('The command line on an empty database', (place) => {
  let settings: Readonly<Record<string, string>>;
  let app: App | undefined;
  let logged = '';
  before(async () => {
    settings = {
      DATABASE_URL: place.url,
      PORT: '0',
      OPS_PORT: '0',
      SEED_DEMO: '0',
      LOG_LEVEL: 'warn',
    };
  });
  after(() => app?.close());

  const run = (...words: readonly string[]): Promise<Ended> => runHere(words, settings);
  const asking = (token: string): Client => new Client(() => app?.url ?? '', token);
  let admin: string;

  it('reports pending migrations, and applies none', async () => {
    for (const _ of ['once', 'twice']) {
      const { code, output } = await run('migrate', 'status', '--json');
      const { applied, pending } = JSON.parse(output);
      expect([code, applied]).to.deep.equal([0, []]);
      expect(pending).to.include('0001-baseline');
    }
  });

  it('applies pending migrations once', async () => {
    const first = await run('migrate', 'up');
    expect(first.code).to.equal(0);
    expect(first.output).to.match(/^applied {2}0001-baseline\n/);
    expect(await run('migrate', 'up')).to.deep.equal({
      code: 0,
      output: '',
      errors: 'The tables are up to date.\n',
    });
    expect((await run('migrate', 'status')).output).to.equal(first.output);
  });

  it('creates a first administrator and a key, and prints its token once', async () => {
    const made = await run('keys', 'create', '--admin', '--name', 'First');
    expect(made.code).to.equal(0);
    expect(made.output).to.match(/^ptc_\w+\n$/);
    expect(made.errors)
      .to.match(/shown this once/)
      .and.not.include('ptc_');
    admin = made.output.trim();
    app = await startApp(readConfig(settings), {
      // Credentials are cached for a shorter time than the default, so that the tests need not wait for it.
      timing: { credentialTtlMs: 300 },
      writeLog: (line) => {
        logged += line;
      },
    });
    expect((await asking(admin).get('/v1/users')).status).to.equal(200);
    for (const words of [
      ['keys', 'list'],
      ['keys', 'list', '--json'],
    ]) {
      expect((await run(...words)).output)
        .to.include('First')
        .and.not.include('ptc_');
    }
  });

  it('creates users, and keys for them with the given scopes and expiry', async () => {
    const added = await run('users', 'create', '--email', 'Ada@example.com', '--name', 'Ada', '--json');
    const user = JSON.parse(added.output);
    expect(user).to.include({ email: 'ada@example.com', role: 'customer' });
    const again = await run('users', 'create', '--email', 'ada@example.com', '--name', 'Ada');
    expect(again).to.deep.equal({ code: 1, output: '', errors: 'portico: email is taken already.\n' });
    const made = await run(
      ...['keys', 'create', '--user', 'ADA@example.com', '--scopes', 'products:read'],
      ...['--expires', '90d', '--json'],
    );
    const { token, ...key } = JSON.parse(made.output);
    expect(key).to.deep.include({ user_id: user.id, scopes: ['products:read'] });
    const days = (Date.parse(key.expires_at) - Date.parse(key.created_at)) / 86_400_000;
    expect(days).to.be.closeTo(90, 0.01);
    expect((await asking(token).get('/v1/products')).status).to.equal(200);
    expect((await asking(token).get('/v1/orders')).status).to.equal(403);
    const listed = JSON.parse((await run('keys', 'list', '--user', user.id, '--json')).output);
    expect(listed.map(({ id }: { id: string }) => id)).to.deep.equal([key.id]);

    const holder = asking(token);
    expect((await holder.get('/v1/products')).status).to.equal(200);
    expect((await run('keys', 'revoke', key.id)).code).to.equal(0);
    await until(
      async () => (await holder.get('/v1/products')).status,
      (status) => status === 401,
    );
    const gone = await run('keys', 'revoke', key.id);
    expect([gone.code, gone.errors]).to.deep.equal([1, `portico: There is no key ${key.id}.\n`]);
  });

  it('creates keys for web pages, shows what they are, and gives keys a limit of their own', async () => {
    await run('users', 'create', '--email', 'page@example.com', '--name', 'Page');
    const words = ['--user', 'page@example.com', '--publishable', '--rate-limit', '5000'];
    const { token, ...key } = JSON.parse((await run('keys', 'create', ...words, '--json')).output);
    expect(token).to.match(/^ptp_/);
    expect(key).to.deep.include({ publishable: true, rate_limit: 5000, scopes: ['products:read'] });
    expect((await asking(token).get('/v1/products')).status).to.equal(200);
    expect((await asking(token).get('/v1/orders')).status).to.equal(403);
    expect((await run('keys', 'list', '--user', 'page@example.com')).output).to.match(
      /publishable +5000 +never/,
    );
    const changed = await run('keys', 'update', key.id, '--name', 'Shop', '--rate-limit', 'none', '--json');
    expect(JSON.parse(changed.output)).to.include({ name: 'Shop', rate_limit: null });
    expect((await run('keys', 'update', key.id, '--name', 'Page')).errors).to.equal(
      `Updated the key ${key.id}.\n`,
    );
    expect((await run('keys', 'update', key.id)).code).to.equal(2);
    expect((await run('keys', 'create', ...words, '--scopes', 'orders:read')).errors).to.include('scopes');
    await run('keys', 'revoke', key.id);
    const gone = await run('keys', 'update', key.id, '--name', 'Page');
    expect([gone.code, gone.errors]).to.deep.equal([1, `portico: There is no key ${key.id}.\n`]);
  });

  it('creates keys that cannot create others, unless they are asked for', async () => {
    await run('users', 'create', '--email', 'bob@example.com', '--name', 'Bob', '--role', 'staff');
    const made = async (...words: readonly string[]) =>
      JSON.parse((await run('keys', 'create', '--json', ...words)).output);
    const usual = await made('--user', 'bob@example.com');
    expect(usual.scopes).to.include('products:write').and.not.include('api-keys:write');
    expect(usual.created_by).to.equal(null);
    const asked = await made('--user', 'bob@example.com', '--scopes', 'api-keys:write,api-keys:read');
    expect(asked.scopes).to.deep.equal(['api-keys:write', 'api-keys:read']);
    expect((await made('--admin')).scopes).to.include('api-keys:write');
    const name = { name: 'Child', scopes: ['api-keys:read'] };
    expect((await asking(usual.token).post('/v1/api-keys', name)).status).to.equal(403);
    expect((await asking(asked.token).post('/v1/api-keys', name)).status).to.equal(201);
  });

  it('revokes a key alone, or with those that were created with it, also afterwards', async () => {
    const operator = JSON.parse((await run('keys', 'create', '--admin', '--json')).output);
    const create = async (token: string) =>
      (await asking(token).post('/v1/api-keys', { name: 'Child' })).body.data;
    const child = await create(operator.token);
    const [one, other] = [await create(child.token), await create(child.token)];
    expect((await run('keys', 'revoke', child.id)).errors).to.equal(`Revoked the key ${child.id}.\n`);
    const rest = await run('keys', 'revoke', child.id, '--children');
    expect([rest.code, rest.errors.split('\n').sort()]).to.deep.equal([
      0,
      ['', `Revoked the key ${one.id}.`, `Revoked the key ${other.id}.`],
    ]);
    const more = await create(operator.token);
    expect((await run('keys', 'revoke', operator.id, '--children')).errors).to.equal(
      `Revoked the key ${operator.id}.\nRevoked the key ${more.id}.\n`,
    );
    const gone = await run('keys', 'revoke', operator.id, '--children');
    expect([gone.code, gone.errors]).to.deep.equal([
      1,
      `portico: There is no key ${operator.id} and none created with it.\n`,
    ]);
  });

  it('rejects an unknown user and an expiry in the past', async () => {
    const unknownUser = await run('keys', 'create', '--user', 'eve@example.com');
    expect([unknownUser.code, unknownUser.errors]).to.deep.equal([
      1,
      'portico: There is no user eve@example.com. portico users list shows all, and portico users create creates one.\n',
    ]);
    const past = await run('keys', 'create', '--admin', '--expires', '2001-01-01');
    expect([past.code, past.errors]).to.deep.equal([2, 'portico: --expires must be in the future.\n']);
    const excess = await run('keys', 'create', '--user', 'ada@example.com', '--scopes', 'refunds:write');
    expect([excess.code, excess.errors]).to.deep.equal([
      2,
      'portico: --scopes must be among those of the role customer, which lacks refunds:write.\n',
    ]);
    const misused = await run('keys', 'create', '--admin', '--expires', 'soon');
    expect(misused.code).to.equal(2);
    expect(misused.errors).to.match(/^portico: --expires must be a duration .* or a date .*\n$/);
  });
  it('leaves no warning in the log of a server that runs meanwhile', async () => {
    await app?.close();
    app = undefined;
    expect(logged).to.equal('');
  });
});
