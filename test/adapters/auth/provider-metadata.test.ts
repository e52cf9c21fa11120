import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { fetchMetadata, MetadataError, ProviderMetadata } from '#adapters/auth/provider-metadata.ts';
import { secureUrl } from '#bootstrap/config/env-parser.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { turnsUntil } from '../../support/turns.ts';

const [maxAgeMs, cooldownMs] = [5 * 60_000, 2_000];

describe('The metadata of an identity provider', () => {
  let time: SimulatedTime;
  let server: Server;
  let issuer = '';
  let requested: string[] = [];
  let respond: (response: ServerResponse) => void;

  const whole = () => ({
    issuer,
    authorization_endpoint: 'https://id.example/authorize?tenant=shop',
    token_endpoint: 'https://id.example/token',
    end_session_endpoint: 'https://id.example/logout',
    revocation_endpoint: 'https://id.example/revoke',
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['plain', 'S256'],
  });
  const sends = (metadata: object) => (response: ServerResponse) => response.end(JSON.stringify(metadata));
  const fetched = () => fetchMetadata({ issuer, parseUrl: secureUrl });
  const expectError = async (expected: RegExp): Promise<void> => {
    const error: unknown = await fetched().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MetadataError);
    expect((error as Error).message).to.match(expected);
  };

  beforeEach(async () => {
    requested = [];
    server = createServer(({ url = '' }, response) => {
      requested.push(url);
      respond(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/shop`;
    respond = sends(whole());
    time = new SimulatedTime();
  });
  afterEach(() => {
    time.end();
    server.closeAllConnections();
    server.close();
  });

  it('is found below the issuer, with or without a slash at its end', async () => {
    expect(await fetched()).to.deep.equal({
      authorization: 'https://id.example/authorize?tenant=shop',
      token: 'https://id.example/token',
      endSession: 'https://id.example/logout',
      revocation: 'https://id.example/revoke',
      namesItself: true,
    });
    issuer += '/';
    const { authorization_endpoint, token_endpoint } = whole();
    respond = sends({ issuer, authorization_endpoint, token_endpoint });
    expect(await fetched()).to.deep.equal({
      authorization: authorization_endpoint,
      token: token_endpoint,
      ...{ endSession: undefined, revocation: undefined, namesItself: false },
    });
    const path = '/realms/shop/.well-known/openid-configuration';
    expect(requested).to.deep.equal([path, path]);
  });

  it('is rejected when it is of another issuer, without PKCE, or with an endpoint that others can replace', async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ issuer: `${issuer}/` }, /^its metadata is of the issuer "http:\/\/127.*shop\/"$/],
      [{ code_challenge_methods_supported: ['plain'] }, /PKCE with S256/],
      [{ token_endpoint: 'http://id.example/token' }, /^its token_endpoint is no https URL$/],
      [{ token_endpoint: undefined }, /^its metadata has no token_endpoint$/],
      [{ authorization_endpoint: 'javascript:alert(1)' }, /^its authorization_endpoint is no https URL$/],
      [{ end_session_endpoint: 'data:text/html,a' }, /^its end_session_endpoint is no https URL$/],
      [{ revocation_endpoint: 7 }, /^its revocation_endpoint is no https URL$/],
    ];
    for (const [wrong, expected] of cases) {
      respond = sends({ ...whole(), ...wrong });
      await expectError(expected);
    }
  });

  it('is rejected when it cannot be read, comes from elsewhere or is endless', async () => {
    respond = (response) => response.writeHead(404).end();
    await expectError(/\/\.well-known\/openid-configuration has the status 404$/);
    respond = (response) => response.end('<html>');
    await expectError(/cannot be fetched: .*JSON/);
    respond = (response) => response.end('[]');
    await expectError(/its metadata is of the issuer undefined/);
    respond = (response) => response.writeHead(302, { Location: 'https://elsewhere.example/' }).end();
    await expectError(/cannot be fetched: .*redirect/);
    respond = (response) => response.end(JSON.stringify({ ...whole(), more: 'a'.repeat(300_000) }));
    await expectError(/longer than 200000/);
    issuer = `http://127.0.0.1:${await freePort()}`;
    await expectError(/cannot be fetched: .*ECONNREFUSED/);
  });

  it('is fetched once for all, again when it is five minutes old, and stays in use while the provider is unavailable', async () => {
    const reported: unknown[] = [];
    const report = (error: unknown) => reported.push(error);
    const metadata = new ProviderMetadata({ issuer, parseUrl: secureUrl, report });
    const found = await Promise.all([metadata.find(), metadata.find(), metadata.find()]);
    expect(found.map((one) => one?.token)).to.deep.equal(Array(3).fill('https://id.example/token'));
    time.work(maxAgeMs);
    await metadata.find();
    expect(requested).to.have.length(1);
    time.work(1);
    respond = (response) => response.writeHead(500).end();
    expect((await metadata.find())?.token).to.equal('https://id.example/token');
    await turnsUntil(() => reported.length > 0);
    respond = sends({ ...whole(), token_endpoint: 'https://id.example/new' });
    time.work(cooldownMs);
    await metadata.find();
    await turnsUntil(() => requested.length === 3);
    await turnsUntil(async () => (await metadata.find())?.token === 'https://id.example/new');
  });

  it('is unknown for two seconds after a request that failed, without a further one', async () => {
    const metadata = new ProviderMetadata({ issuer, parseUrl: secureUrl, report: () => undefined });
    respond = (response) => response.writeHead(500).end();
    expect(await metadata.find()).to.equal(undefined);
    respond = sends(whole());
    time.work(cooldownMs - 1);
    expect(await metadata.find()).to.equal(undefined);
    expect(requested).to.have.length(1);
    time.work(1);
    expect((await metadata.find())?.namesItself).to.equal(true);
  });

  it('is unknown when the provider does not respond within three seconds', async () => {
    const reported: string[] = [];
    const report = (error: unknown) => reported.push(String(error));
    const metadata = new ProviderMetadata({ issuer, parseUrl: secureUrl, report });
    respond = () => undefined;
    const found = metadata.find();
    await turnsUntil(() => requested.length === 1);
    await time.pass(2_900);
    expect(reported).to.deep.equal([]);
    await time.pass(100);
    expect(await found).to.equal(undefined);
    expect(reported[0]).to.match(/cannot be fetched/);
  });
});
