import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Config, readConfig } from '#bootstrap/config/config.ts';
import { type Environment, SettingError } from '#bootstrap/config/env-parser.ts';
import { certificate } from '../../http/support/certificate.ts';

interface Setting {
  /** What it has no meaning without. */
  readonly beside?: Environment;
  readonly read: (config: Config) => unknown;
  readonly otherwise: unknown;
  /** Text, and what it comes to. */
  readonly taken: readonly (readonly [string, unknown])[];
  readonly refused: readonly string[];
  /** What the refusal says, behind the name. */
  readonly takes: RegExp;
}

const key = 'k'.repeat(32);
const notNumbers = ['-1', '1.5', '1e3', '0x10', 'ten', ' 1', '9'.repeat(16)];
const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };

const postgres = (url: string) => ({ kind: 'postgres', url, poolSize: 10, replicas: [] });
const onPostgres = { DATABASE_URL: 'postgres://db/shop' };

const settings: Readonly<Record<string, Setting>> = {
  HOST: {
    read: ({ host }) => host,
    otherwise: '127.0.0.1',
    taken: [
      ['localhost', 'localhost'],
      ['::1', '::1'],
      ['127.0.0.53', '127.0.0.53'],
    ],
    refused: [
      '0.0.0.0',
      '::',
      '192.168.1.1',
      'shop.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ],
    takes: /loopback.*TLS_CERT_FILE.*TLS_KEY_FILE.*TRUST_PROXY=1/,
  },
  PORT: {
    read: ({ port }) => port,
    otherwise: 3000,
    taken: [
      ['0', 0],
      ['65535', 65_535],
    ],
    refused: ['65536', ...notNumbers],
    takes: /a port from 0 to 65535/,
  },
  OPS_PORT: {
    read: ({ ops }) => ops?.port,
    otherwise: 9090,
    taken: [
      ['0', undefined],
      ['9091', 9091],
    ],
    refused: ['65536', ...notNumbers],
    takes: /a port from 0 to 65535/,
  },
  OPS_HOST: {
    read: ({ ops }) => ops?.host,
    otherwise: '127.0.0.1',
    taken: [['0.0.0.0', '0.0.0.0']],
    refused: [],
    takes: /./,
  },
  DATABASE_URL: {
    read: ({ database }) => database,
    otherwise: { kind: 'sqlite', url: 'sqlite:data/portico.db', file: 'data/portico.db' },
    taken: [
      ['memory:', { kind: 'memory', url: 'memory:' }],
      ['sqlite::memory:', { kind: 'sqlite', url: 'sqlite::memory:', file: ':memory:' }],
      ['sqlite:a.db', { kind: 'sqlite', url: 'sqlite:a.db', file: 'a.db' }],
      ['sqlite:/var/a b.db', { kind: 'sqlite', url: 'sqlite:/var/a b.db', file: '/var/a b.db' }],
      ['sqlite:///var/a.db', { kind: 'sqlite', url: 'sqlite:///var/a.db', file: '/var/a.db' }],
      ['postgres://u:p@db:5432/shop', postgres('postgres://u:p@db:5432/shop')],
      ['postgresql://db/shop', postgres('postgresql://db/shop')],
    ],
    refused: [
      'a.db',
      'sqlite:',
      'memory',
      'mysql://db/shop',
      'postgres:',
      'postgres://db',
      'postgres://u:%zz@db/a',
      'postgres://u:p%E0%A4x@db/a',
      'postgres://db/a?port=abc',
      'postgres://db/a?port=99999',
      'sqlite://data/a.db',
    ],
    takes: /sqlite:<file>.*postgres:\/\//,
  },
  DATABASE_POOL_SIZE: {
    beside: onPostgres,
    read: ({ database }) => database.kind === 'postgres' && database.poolSize,
    otherwise: 10,
    taken: [['1', 1]],
    refused: ['0', '1001', ...notNumbers],
    takes: /a whole number from 1 to 1000/,
  },
  DATABASE_REPLICA_URLS: {
    beside: onPostgres,
    read: ({ database }) => database.kind === 'postgres' && database.replicas,
    otherwise: [],
    taken: [
      ['postgres://one/shop', ['postgres://one/shop']],
      ['postgres://one/shop, postgres://two/shop', ['postgres://one/shop', 'postgres://two/shop']],
    ],
    refused: ['sqlite:a.db', 'postgres://one/shop,', 'postgres://one'],
    takes: /postgres:\/\/.*with commas between/,
  },
  ADMIN_API_KEY: {
    read: ({ adminApiKey }) => adminApiKey,
    otherwise: undefined,
    taken: [
      [key, key],
      ['~!'.repeat(100), '~!'.repeat(100)],
    ],
    refused: [`eyJ${key}.x.y`, key.slice(1), 'k'.repeat(201), `${key} k`, `${key}\n`, `${key}é`],
    takes: /32 to 200 visible/,
  },
  RATE_LIMIT_MAX: {
    read: ({ rateLimit }) => rateLimit.limit,
    otherwise: 600,
    taken: [['1', 1]],
    refused: ['0', ...notNumbers],
    takes: /a whole number from 1/,
  },
  RATE_LIMIT_WINDOW_SECONDS: {
    read: ({ rateLimit }) => rateLimit.windowMilliseconds,
    otherwise: 60_000,
    taken: [
      ['1', 1_000],
      ['86400', 86_400_000],
    ],
    refused: ['0', '86401', ...notNumbers],
    takes: /seconds from 1 to 86400/,
  },
  ORDER_TTL_MINUTES: {
    read: ({ times }) => times.orderLifetime,
    otherwise: 86_400_000,
    taken: [
      ['0', 0],
      ['0.5', 30_000],
      ['60', 3_600_000],
    ],
    refused: ['-1', 'never', '1e3', '1.', '.5'],
    takes: /minutes, 0 for no end/,
  },
  CORS_ORIGIN: {
    read: ({ crossOrigin }) => crossOrigin.origin,
    otherwise: 'http://127.0.0.1:3000',
    taken: [
      ['https://shop.example', 'https://shop.example'],
      ['http://localhost:8080', 'http://localhost:8080'],
    ],
    refused: [
      '*',
      'shop.example',
      'https://shop.example/',
      'https://a.example, https://b.example',
      'null',
      'ftp://a',
    ],
    takes: /an origin such as https:\/\/shop\.example/,
  },
  CORS_ALLOW_METHODS: {
    read: ({ crossOrigin }) => crossOrigin.methods,
    otherwise: 'GET, POST, PUT, DELETE',
    taken: [
      ['GET, PATCH', 'GET, PATCH'],
      ['GET,PATCH', 'GET, PATCH'],
    ],
    refused: ['GET PATCH', 'GET;', ',', 'GET\r\nX-A: b'],
    takes: /methods with commas between/,
  },
  CORS_ALLOW_HEADERS: {
    read: ({ crossOrigin }) => crossOrigin.headers,
    otherwise: 'Content-Type, Authorization',
    taken: [['Content-Type,X-B3-TraceId, Idempotency-Key', 'Content-Type, X-B3-TraceId, Idempotency-Key']],
    refused: ['Content-Type:', 'a b', 'Content-Type\n'],
    takes: /header names with commas between/,
  },
  TRUST_PROXY: {
    read: ({ behindProxy }) => behindProxy,
    otherwise: false,
    taken: [
      ['1', true],
      ['0', false],
    ],
    refused: ['true', 'yes', '2'],
    takes: /1 or 0/,
  },
  DEPRECATED_VERSIONS: {
    read: ({ deprecations }) => Object.fromEntries(deprecations),
    otherwise: {},
    taken: [['v1=2027-06-30T00:00:00Z', { v1: Date.UTC(2027, 5, 30) }]],
    refused: [
      'v1',
      'v1=',
      'v1=2027-06-30',
      'v1=2027-02-30T00:00:00Z',
      'v2=2027-06-30T00:00:00Z',
      'constructor=x',
    ],
    takes: /v1=2027-06-30T00:00:00Z/,
  },
  PAYMENT_PROVIDER: {
    read: ({ payment }) => payment,
    otherwise: { provider: 'sandbox' },
    beside: { STRIPE_SECRET_KEY: 'sk_test_1' },
    taken: [
      ['sandbox', { provider: 'sandbox' }],
      ['stripe', { provider: 'stripe', secretKey: 'sk_test_1', apiBase: undefined }],
    ],
    refused: ['paypal', 'Sandbox'],
    takes: /sandbox or stripe/,
  },
  STRIPE_API_BASE: {
    read: ({ payment }) => payment.provider === 'stripe' && payment.apiBase,
    otherwise: undefined,
    beside: stripe,
    taken: [
      ['https://api.stripe.com', 'https://api.stripe.com'],
      ['https://stripe.example:8443/', 'https://stripe.example:8443'],
      ['http://127.0.0.1:12111', 'http://127.0.0.1:12111'],
      ['http://localhost:12111', 'http://localhost:12111'],
      ['http://[::1]:12111', 'http://[::1]:12111'],
    ],
    refused: [
      'api.stripe.com',
      'http://api.stripe.com',
      'http://127.0.0.1.evil.example',
      'http://192.168.1.1:12111',
      'https://api.stripe.com/v1',
      'https://api.stripe.com?a',
      'https://user:password@api.stripe.com',
      'ftp://127.0.0.1',
    ],
    takes: /https origin such as https:\/\/api\.stripe\.com, or an http origin of this machine/,
  },
  PAYMENT_TIMEOUT_MS: {
    read: ({ times }) => times.payment,
    otherwise: 10_000,
    taken: [['1', 1]],
    refused: ['0', ...notNumbers],
    takes: /milliseconds from 1/,
  },
  REQUEST_TIMEOUT_MS: {
    read: ({ times }) => times.request,
    otherwise: 10_000,
    taken: [
      ['100', 100],
      ['600000', 600_000],
    ],
    refused: ['99', '600001', ...notNumbers],
    takes: /milliseconds from 100 to 600000/,
  },
  SHUTDOWN_DRAIN_MS: {
    read: ({ times }) => times.drain,
    otherwise: 2_000,
    taken: [['0', 0]],
    refused: ['600001', ...notNumbers],
    takes: /milliseconds from 0 to 600000/,
  },
  MAX_IN_FLIGHT: {
    read: ({ maxInFlight }) => maxInFlight,
    otherwise: 1_000,
    taken: [['1', 1]],
    refused: ['0', ...notNumbers],
    takes: /a whole number from 1/,
  },
  IDEMPOTENCY_LEASE_MS: {
    read: ({ times }) => times.lease,
    otherwise: 30_000,
    taken: [['10000', 10_000]],
    refused: ['9999', '0', ...notNumbers],
    takes: /at least PAYMENT_TIMEOUT_MS \(10000\)/,
  },
  RECONCILE_AFTER_MS: {
    read: ({ times }) => times.reconcileAfter,
    otherwise: 60_000,
    taken: [['250', 250]],
    refused: ['0', ...notNumbers],
    takes: /milliseconds from 1/,
  },
  LOG_LEVEL: {
    read: ({ logLevel }) => logLevel,
    otherwise: 'info',
    taken: [['silent', 'silent']],
    refused: ['INFO', 'loud'],
    takes: /one of fatal, error, warn, info/,
  },
  SEED_DEMO: {
    read: ({ seedDemo }) => seedDemo,
    otherwise: true,
    taken: [
      ['0', false],
      ['1', true],
    ],
    refused: ['true', 'no'],
    takes: /1 or 0/,
  },
};

const expectRefused = (environment: Environment, name: string, takes: RegExp): void => {
  let refusal: unknown;
  try {
    readConfig(environment);
  } catch (error) {
    refusal = error;
  }
  expect(refusal, JSON.stringify(environment)).to.be.instanceOf(SettingError);
  const { message } = refusal as SettingError;
  expect(message)
    .to.match(new RegExp(`^${name} (takes|must) `))
    .and.match(takes);
  expect(message).to.match(/^[^\n]+\.$/);
};

for (const [name, { read, otherwise, beside, taken, refused, takes }] of Object.entries(settings)) {
  describe(name, () => {
    it(`is ${JSON.stringify(otherwise) ?? 'nothing'} unless it is set, and setting it to nothing sets it not`, () => {
      expect(read(readConfig({ ...beside }))).to.deep.equal(otherwise);
      expect(read(readConfig({ ...beside, [name]: '' }))).to.deep.equal(otherwise);
    });

    for (const [text, value] of taken) {
      it(`takes ${text}`, () => {
        expect(read(readConfig({ ...beside, [name]: text }))).to.deep.equal(value);
      });
    }

    for (const text of refused) {
      it(`refuses ${JSON.stringify(text)}, and says what it takes`, () => {
        expectRefused({ ...beside, [name]: text }, name, takes);
      });
    }
  });
}

describe('Settings that belong together', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-config-'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('let nothing but PostgreSQL have replicas', () => {
    const environment = { DATABASE_URL: 'memory:', DATABASE_REPLICA_URLS: 'postgres://one/shop' };
    expectRefused(environment, 'DATABASE_REPLICA_URLS', /PostgreSQL only/);
  });

  it('open other addresses to TLS, or to a proxy that speaks it', () => {
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE, cert } = certificate;
    const config = readConfig({ HOST: '0.0.0.0', TLS_CERT_FILE, TLS_KEY_FILE });
    expect(config.tls?.cert).to.equal(cert);
    expect(config.crossOrigin.origin).to.equal('https://127.0.0.1:3000');
    expect(readConfig({ HOST: '0.0.0.0', TRUST_PROXY: '1' }).host).to.equal('0.0.0.0');
  });

  it('need both files of TLS, and each to be what it says', async () => {
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE } = certificate;
    const none = join(folder, 'none.pem');
    const text = join(folder, 'text.pem');
    const broken = join(folder, 'broken.pem');
    await writeFile(text, 'Not a certificate.');
    await writeFile(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expectRefused({ TLS_CERT_FILE }, 'TLS_KEY_FILE', /TLS_CERT_FILE/);
    expectRefused({ TLS_KEY_FILE }, 'TLS_CERT_FILE', /TLS_KEY_FILE/);
    for (const file of [none, text, broken, folder]) {
      expectRefused({ TLS_CERT_FILE: file, TLS_KEY_FILE }, 'TLS_CERT_FILE', /PEM file/);
      expectRefused({ TLS_CERT_FILE, TLS_KEY_FILE: file }, 'TLS_KEY_FILE', /PEM file/);
    }
    const another = certificate.anotherKeyFile;
    expectRefused({ TLS_CERT_FILE, TLS_KEY_FILE: another }, 'TLS_KEY_FILE', /private key/);
  });

  it('read no file that might never come to an end, or is far too large', async () => {
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE } = certificate;
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const large = join(folder, 'large.pem');
    await writeFile(large, certificate.cert.padEnd(1024 * 1024 + 1, '\n'));
    for (const file of [pipe, '/dev/zero', large]) {
      expectRefused(
        { TLS_CERT_FILE: file, TLS_KEY_FILE },
        'TLS_CERT_FILE',
        /a regular file of 1 MiB at the most/,
      );
      expectRefused(
        { TLS_CERT_FILE, TLS_KEY_FILE: file },
        'TLS_KEY_FILE',
        /a regular file of 1 MiB at the most/,
      );
      for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
        const url = `postgres://ada:word@db.example/shop?sslmode=verify-full&${name}=${encodeURIComponent(file)}`;
        expectRefused(
          { DATABASE_URL: url },
          'DATABASE_URL',
          new RegExp(`${name}.* a regular file of 1 MiB at the most`),
        );
        expectRefused(
          { DATABASE_URL: 'postgres://db.example/shop', DATABASE_REPLICA_URLS: url },
          'DATABASE_REPLICA_URLS',
          new RegExp(name),
        );
      }
    }
    const url = `postgres://db.example/shop?sslmode=verify-full&sslrootcert=${TLS_CERT_FILE}`;
    expect(readConfig({ DATABASE_URL: url }).database.url).to.equal(url);
  });

  it('give a lease at least the time that a payment may take', () => {
    expect(readConfig({ PAYMENT_TIMEOUT_MS: '45000' }).times.lease).to.equal(45_000);
    const environment = { PAYMENT_TIMEOUT_MS: '45000', IDEMPOTENCY_LEASE_MS: '30000' };
    expectRefused(environment, 'IDEMPOTENCY_LEASE_MS', /45000/);
  });

  it('need all of an identity provider, or none of it, and its keys unchanged', () => {
    const whole = {
      JWT_ISSUER: 'https://id.example/',
      JWT_AUDIENCE: 'shop',
      JWT_JWKS_URL: 'https://id.example/keys',
    };
    expect(readConfig({}).identityProvider).to.equal(undefined);
    expect(readConfig(whole).identityProvider).to.deep.equal({
      issuer: 'https://id.example/',
      audience: 'shop',
      keysUrl: 'https://id.example/keys',
      userClaim: 'sub',
      trustEmail: false,
      roleClaim: undefined,
      scopesClaim: undefined,
    });
    const claims = {
      JWT_USER_CLAIM: 'email',
      JWT_TRUST_EMAIL: '1',
      JWT_ROLE_CLAIM: 'realm_access.roles',
      JWT_SCOPES_CLAIM: 'scope',
    };
    expect(readConfig({ ...whole, ...claims }).identityProvider).to.deep.include({
      ...{ userClaim: 'email', trustEmail: true, roleClaim: 'realm_access.roles', scopesClaim: 'scope' },
    });
    for (const name of Object.keys(whole)) {
      expectRefused({ ...whole, [name]: '' }, name, /must be set where JWT_\w+ is/);
    }
    expectRefused({ ...whole, JWT_TRUST_EMAIL: 'yes' }, 'JWT_TRUST_EMAIL', /1 or 0/);
    expectRefused({ JWT_ROLE_CLAIM: 'roles' }, 'JWT_ISSUER', /JWT_ROLE_CLAIM/);
    for (const url of [
      'http://id.example/keys',
      'id.example',
      'file:///keys',
      'https://ada:x@id.example/keys',
    ]) {
      expectRefused({ ...whole, JWT_JWKS_URL: url }, 'JWT_JWKS_URL', /https/);
    }
    for (const url of ['http://127.0.0.1:8080/keys', 'http://localhost/keys', 'http://[::1]:1/keys']) {
      expect(readConfig({ ...whole, JWT_JWKS_URL: url }).identityProvider?.keysUrl).to.equal(url);
    }
  });

  it('need the secret key where Stripe moves the money, and one that fits into a header', () => {
    const { PAYMENT_PROVIDER, STRIPE_SECRET_KEY } = stripe;
    expectRefused({ PAYMENT_PROVIDER }, 'STRIPE_SECRET_KEY', /PAYMENT_PROVIDER is stripe/);
    expect(readConfig({ STRIPE_SECRET_KEY }).payment).to.deep.equal({ provider: 'sandbox' });
    for (const secretKey of ['sk test', 'sk_test\r\nX-A: b', 'sk_tést', 'k'.repeat(256)]) {
      expectRefused({ PAYMENT_PROVIDER, STRIPE_SECRET_KEY: secretKey }, 'STRIPE_SECRET_KEY', /visible ASCII/);
    }
  });

  it('pay for no demonstration in earnest', () => {
    expect(readConfig(stripe).seedDemo).to.equal(false);
    expect(readConfig({ ...stripe, SEED_DEMO: '0' }).seedDemo).to.equal(false);
    expectRefused({ ...stripe, SEED_DEMO: '1' }, 'SEED_DEMO', /PAYMENT_PROVIDER is sandbox/);
  });

  it('fill no database but the one that nobody chose', () => {
    expect(readConfig({ DATABASE_URL: ' memory:\n' }).database.url).to.equal('memory:');
    expect(readConfig({ DATABASE_URL: 'memory:' }).seedDemo).to.equal(false);
    expect(readConfig({ DATABASE_URL: 'sqlite:other.db' }).seedDemo).to.equal(false);
    expect(readConfig({ DATABASE_URL: 'memory:', SEED_DEMO: '1' }).seedDemo).to.equal(true);
  });

  it('never show what was given for a secret', () => {
    const secret = 'too-short-a-secret';
    expect(() => readConfig({ ADMIN_API_KEY: secret }))
      .to.throw(SettingError)
      .and.not.match(new RegExp(secret));
    expect(() => readConfig({ STRIPE_SECRET_KEY: `${secret} and a space` }))
      .to.throw(SettingError)
      .and.not.match(new RegExp(secret));
  });
});
