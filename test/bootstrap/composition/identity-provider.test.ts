import { expect } from 'chai';
import { checkIdentityProvider } from '#bootstrap/cli/doctor/providers.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Client } from '../../http/support/client.ts';
import { expectCreated } from '../../http/support/expectations.ts';
import { IdentityProvider } from '../../http/support/identity-provider.ts';
import { nowhere } from '../../http/support/shop.ts';
import { Apps } from '../support/apps.ts';

describe('A server with an identity provider', () => {
  const provider = new IdentityProvider();
  const apps = new Apps();
  before(() => provider.start());
  afterEach(() => apps.end());
  after(() => provider.stop());

  const settings = () => ({
    JWT_ISSUER: provider.issuer,
    JWT_AUDIENCE: provider.audience,
    JWT_JWKS_URL: provider.keysUrl,
  });

  it('logs why a token was rejected, without the token, and tells the client nothing', async () => {
    const environment = { ...settings(), DATABASE_URL: 'memory:', LOG_LEVEL: 'debug' };
    const { log, client } = await apps.start(environment);
    const details = { email: 'ada@example.com', name: 'Ada', role: 'customer' };
    const user = expectCreated(await client.post('/v1/users', details), '/v1/users');
    const good = await provider.token({ sub: user.id });
    const expired = await provider.token({ sub: user.id, exp: 1 });
    const unknownUsers = await provider.token({ sub: nowhere });
    const ask = async (token: string) =>
      (await new Client(() => client.base, token).get('/v1/products')).status;
    expect([await ask(good), await ask(expired), await ask(unknownUsers)]).to.deep.equal([200, 401, 401]);
    expect(log.text)
      .to.include('No user of this shop has the')
      .and.include('A token was rejected.')
      .and.include('\\"exp\\" claim');
    for (const token of [good, expired, unknownUsers]) {
      for (const part of token.split('.')) expect(log.text).not.to.include(part);
    }
  });

  it('logs that a credential is neither a key nor a token, without the credential', async () => {
    const environment = { ...settings(), DATABASE_URL: 'memory:', LOG_LEVEL: 'debug' };
    const { log, client } = await apps.start(environment);
    const [, payload = '', signature = ''] = (await provider.token({ sub: nowhere })).split('.');
    const spaced = Buffer.from(' {"alg":"RS256"}').toString('base64url');
    for (const token of [
      `${spaced}.${payload}.${signature}`,
      `eyJhbGciOiJkaXIifQ.${payload}.a.b.${signature}`,
    ]) {
      const before = log.text.length;
      expect((await new Client(() => client.base, token).get('/v1/products')).status).to.equal(401);
      const said = log.text.slice(before);
      expect(said).to.include('A token was rejected.').and.include('It is neither an API key');
      for (const part of [spaced, payload, signature]) expect(said).not.to.include(part);
    }
    const before = log.text.length;
    expect((await new Client(() => client.base, 'unknown-key').get('/v1/products')).status).to.equal(401);
    expect((await client.get('/v1/products')).status).to.equal(200);
    expect(log.text.slice(before)).not.to.include('A token was rejected.');
  });

  it('is checked by the doctor, which fetches its keys', async () => {
    const config = readConfig(settings());
    const host = new URL(provider.keysUrl).host;
    expect(await checkIdentityProvider(readConfig({}))).to.deep.equal([]);
    expect(await checkIdentityProvider(config)).to.deep.equal([
      { check: 'identity', state: 'ok', message: `${host} publishes 1 key` },
    ]);
    await provider.stop();
    const [found] = await checkIdentityProvider(config);
    expect(found).to.include({ state: 'fail' });
    expect(found?.message).to.match(/^the keys at 127\.0\.0\.1:\d+ cannot be fetched: .*ECONNREFUSED/);
    await provider.start();
  });

  it('is asked by the doctor for what the login of the admin page needs', async () => {
    const issuer = new URL(provider.keysUrl).origin;
    const login = { ...settings(), JWT_ISSUER: issuer, ADMIN_OIDC_CLIENT_ID: 'portico-admin' };
    const [, found] = await checkIdentityProvider(readConfig(login));
    expect(found).to.include({ check: 'identity', state: 'fail' });
    // It responds to every path with its keys.
    expect(found?.message).to.match(
      /^people cannot sign in to the admin page at 127.*of the issuer undefined$/,
    );
  });

  it('is named by the doctor as the one that signs customers up', async () => {
    const provisioning = readConfig({ ...settings(), JWT_PROVISION: '1', JWT_TRUST_EMAIL: '1' });
    const [published, ineffective] = await checkIdentityProvider(provisioning);
    expect(published?.message).to.equal(
      `${new URL(provider.keysUrl).host} publishes 1 key, and its tokens sign customers up`,
    );
    expect(ineffective).to.include({ state: 'warn' });
    expect(ineffective?.message).to.match(/^JWT_TRUST_EMAIL has no effect/);
  });
});
