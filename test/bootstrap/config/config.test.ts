import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { environmentProblem } from '#adapters/persistence/postgres/url-parameters.ts';
import { type Config, readConfig, secretsIn } from '#bootstrap/config/config.ts';
import { type Environment, SettingError } from '#bootstrap/config/env-parser.ts';
import { certificate } from '../../http/support/certificate.ts';

interface Setting {
  /** Other settings that it needs. */
  readonly beside?: Environment;
  readonly read: (config: Config) => unknown;
  readonly byDefault: unknown;
  /** Texts, and their values. */
  readonly valid: readonly (readonly [string, unknown])[];
  readonly invalid: readonly string[];
  /** What the error says after the name. */
  readonly expected: RegExp;
}

const key = 'k'.repeat(32);
const notNumbers = ['-1', '1.5', '1e3', '0x10', 'ten', ' 1', '9'.repeat(16)];
const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };

/** A module that is any file of this repository, because no setting loads it before the start. */
const someModule = './domain/index.ts';

const moduleOf = (setting: string, factory: string) => ({
  ...{ setting, factory, file: 'domain/index.ts' },
  url: pathToFileURL('domain/index.ts').href,
});

const notModules = {
  byDefault: undefined,
  invalid: ['my-store.ts', 'absent-package', 'sqlite:a.db', 'a b'],
  expected: /the path of a module that begins with \.\/, or a package/,
};

const postgres = (url: string) => ({ kind: 'postgres', url, poolSize: 10, replicas: [] });
const mariadb = (url: string) => ({ ...postgres(url), kind: 'mariadb' });
const onPostgres = { DATABASE_URL: 'postgres://db/shop' };

const secretKeys = [`${'A'.repeat(43)}=`, `${'B'.repeat(42)}A=`] as const;

const settings: Readonly<Record<string, Setting>> = {
  HOST: {
    read: ({ host }) => host,
    byDefault: '127.0.0.1',
    valid: [
      ['localhost', 'localhost'],
      ['::1', '::1'],
      ['127.0.0.53', '127.0.0.53'],
    ],
    invalid: [
      '0.0.0.0',
      '::',
      '192.168.1.1',
      'shop.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ],
    expected: /loopback.*TLS_CERT_FILE.*TLS_KEY_FILE.*TRUST_PROXY=1/,
  },
  PORT: {
    read: ({ port }) => port,
    byDefault: 3000,
    valid: [
      ['0', 0],
      ['65535', 65_535],
    ],
    invalid: ['65536', ...notNumbers],
    expected: /a whole number from 0 to 65535/,
  },
  OPS_PORT: {
    read: ({ ops }) => ops?.port,
    byDefault: 9090,
    valid: [
      ['0', undefined],
      ['9091', 9091],
    ],
    invalid: ['65536', ...notNumbers],
    expected: /a whole number from 0 to 65535/,
  },
  OPS_HOST: {
    read: ({ ops }) => ops?.host,
    byDefault: '127.0.0.1',
    valid: [['0.0.0.0', '0.0.0.0']],
    invalid: [],
    expected: /./,
  },
  OPS_ALLOWED_HOSTS: {
    read: ({ ops }) => ops?.allowedHosts,
    byDefault: [],
    valid: [
      ['portico', ['portico']],
      ['portico_1, metrics.internal,Ops.Example.', ['portico_1', 'metrics.internal', 'Ops.Example.']],
    ],
    invalid: [
      '*',
      '*.example',
      'portico:9090',
      'http://portico',
      'portico/metrics',
      'a,,b',
      'a b',
      'a@b',
      '%00',
    ],
    expected: /host names without ports and with commas between/,
  },
  PUBLIC_URL: {
    read: ({ publicUrl }) => publicUrl,
    byDefault: undefined,
    valid: [
      ['https://shop.example', 'https://shop.example'],
      ['https://shop.example/', 'https://shop.example'],
      ['http://127.0.0.1:8080/shop//', 'http://127.0.0.1:8080/shop'],
    ],
    invalid: [
      'shop.example',
      '//shop.example',
      'ftp://shop.example',
      'https://a:b@shop.example',
      'https://shop.example/?a=b',
      'https://shop.example/#top',
      'https://shop.example/v1',
      'https://shop.example/api/v1/',
      'https://',
    ],
    expected: /a URL with http or https, without a query/,
  },
  PAGES_PORT: {
    read: ({ pages }) => pages,
    byDefault: undefined,
    valid: [
      ['8080', { host: '127.0.0.1', port: 8080, hasAdminPage: false }],
      ['0', undefined],
    ],
    invalid: ['65536', ...notNumbers],
    expected: /a whole number from 0 to 65535/,
  },
  ADMIN_PAGE: {
    beside: { PAGES_PORT: '8080' },
    read: ({ pages }) => pages?.hasAdminPage,
    byDefault: false,
    valid: [
      ['1', true],
      ['0', false],
    ],
    invalid: ['true', '2'],
    expected: /1 or 0/,
  },
  DATABASE_URL: {
    read: ({ database }) => database,
    byDefault: { kind: 'sqlite', url: 'sqlite:data/portico.db', file: 'data/portico.db' },
    valid: [
      ['memory:', { kind: 'memory', url: 'memory:' }],
      ['sqlite::memory:', { kind: 'sqlite', url: 'sqlite::memory:', file: ':memory:' }],
      ['sqlite:a.db', { kind: 'sqlite', url: 'sqlite:a.db', file: 'a.db' }],
      ['sqlite:/var/a b.db', { kind: 'sqlite', url: 'sqlite:/var/a b.db', file: '/var/a b.db' }],
      ['sqlite:///var/a.db', { kind: 'sqlite', url: 'sqlite:///var/a.db', file: '/var/a.db' }],
      ['postgres://u:p@db:5432/shop', postgres('postgres://u:p@db:5432/shop')],
      ['postgresql://db/shop', postgres('postgresql://db/shop')],
      ...[
        'postgres:///shop?host=/var/run/postgresql',
        'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/shop',
        'postgres://db/shop?application_name=&options=-c%20search_path%3Dshop&statement_timeout=5000',
        'postgres://db/shop?sslmode=disable&connect_timeout=10&pgbouncer=true&connection_limit=1',
        'postgres://db/shop?sslmode=require&channel_binding=prefer&target_session_attrs=any',
        'postgres://db/shop?serverVersion=16&charset=utf8&pool=5&encoding=unicode&client_encoding=UTF8',
        'postgres://db/shop?ssl=true&uselibpqcompat=false&sslnegotiation=direct',
        'postgres://db/shop?ssl=0',
      ].map((url) => [url, postgres(url)] as const),
      [
        'postgres://u:p@/shop?host=/cloudsql/a:b:c',
        postgres('postgres://u:p@localhost/shop?host=/cloudsql/a:b:c'),
      ],
      ['postgresql://@/shop?host=%2Ftmp', postgres('postgresql://@localhost/shop?host=%2Ftmp')],
      ['mariadb://u:p@db:3306/shop', mariadb('mariadb://u:p@db:3306/shop')],
      ['mariadb://10.0.0.1/shop', mariadb('mariadb://10.0.0.1/shop')],
      ['mariadb://db/shop?ssl=true', mariadb('mariadb://db/shop?ssl=true')],
      [
        'mariadb://db/shop?charset=utf8mb4&connection_limit=5&ssl=true',
        mariadb('mariadb://db/shop?charset=utf8mb4&connection_limit=5&ssl=true'),
      ],
    ],
    invalid: [
      'a.db',
      'sqlite:',
      'memory',
      'mysql://db/shop',
      'postgres:',
      'postgres://db',
      'postgres://u:%zz@db/a',
      'postgres://u:p%E0%A4x@db/a',
      'postgres://u:p@/shop',
      'postgres://u:p@/?host=/cloudsql/a:b:c',
      'mysql://u:p@/shop?host=/tmp',
      'postgres://db/a?port=abc',
      'postgres://db/a?port=99999',
      'mariadb://db',
      'mariadb://db/a/b',
      'mariadb://u:%zz@db/a',
      'sqlite://data/a.db',
    ],
    expected: /sqlite:<file>.*postgres:\/\//,
  },
  PERSISTENCE_ADAPTER: {
    ...notModules,
    read: ({ database }) => database.module,
    valid: [[someModule, moduleOf('PERSISTENCE_ADAPTER', 'openStore')]],
  },
  AUTHENTICATOR: {
    ...notModules,
    read: ({ authenticator }) => authenticator,
    valid: [[someModule, moduleOf('AUTHENTICATOR', 'openAuthenticator')]],
  },
  RATE_LIMITER: {
    ...notModules,
    read: ({ rateLimiter }) => rateLimiter,
    valid: [[someModule, moduleOf('RATE_LIMITER', 'openRateLimiter')]],
  },
  USE_CASES: {
    ...notModules,
    read: ({ useCases }) => useCases,
    valid: [[someModule, moduleOf('USE_CASES', 'decorate')]],
  },
  DATABASE_POOL_SIZE: {
    beside: onPostgres,
    read: ({ database }) => database.kind === 'postgres' && database.poolSize,
    byDefault: 10,
    valid: [['1', 1]],
    invalid: ['0', '1001', ...notNumbers],
    expected: /a whole number from 1 to 1000/,
  },
  DATABASE_REPLICA_URLS: {
    beside: onPostgres,
    read: ({ database }) => database.kind === 'postgres' && database.replicas,
    byDefault: [],
    valid: [
      ['postgres://one/shop', ['postgres://one/shop']],
      ['postgres://one/shop, postgres://two/shop', ['postgres://one/shop', 'postgres://two/shop']],
    ],
    invalid: ['sqlite:a.db', 'postgres://one/shop,', 'postgres://one'],
    expected: /postgres:\/\/.*with commas between/,
  },
  ADMIN_API_KEY: {
    read: ({ adminApiKey }) => adminApiKey,
    byDefault: undefined,
    valid: [
      [key, key],
      ['~!'.repeat(100), '~!'.repeat(100)],
    ],
    invalid: [`eyJ${key}.x.y`, key.slice(1), 'k'.repeat(201), `${key} k`, `${key}\n`, `${key}é`],
    expected: /32 to 200 visible/,
  },
  RATE_LIMIT_MAX: {
    read: ({ rateLimit }) => rateLimit.limit,
    byDefault: 600,
    valid: [['1', 1]],
    invalid: ['0', ...notNumbers],
    expected: /a whole number from 1/,
  },
  RATE_LIMIT_WINDOW_SECONDS: {
    read: ({ rateLimit }) => rateLimit.windowMilliseconds,
    byDefault: 60_000,
    valid: [
      ['1', 1_000],
      ['86400', 86_400_000],
    ],
    invalid: ['0', '86401', ...notNumbers],
    expected: /seconds from 1 to 86400/,
  },
  ORDER_TTL_MINUTES: {
    read: ({ times }) => times.orderLifetime,
    byDefault: 86_400_000,
    valid: [
      ['0', 0],
      ['0.5', 30_000],
      ['60', 3_600_000],
    ],
    invalid: ['-1', 'never', '1e3', '1.', '.5'],
    expected: /minutes, 0 for no end/,
  },
  EVENT_RETENTION_DAYS: {
    read: ({ times }) => times.eventRetention,
    byDefault: 2_592_000_000,
    valid: [
      ['7', 604_800_000],
      ['365', 31_536_000_000],
    ],
    invalid: ['6', '366', ...notNumbers],
    expected: /days from 7 to 365/,
  },
  PROVIDER_EVENTS_POLL_MS: {
    read: ({ times }) => times.eventsPoll,
    byDefault: 60_000,
    valid: [
      ['0', 0],
      ['1000', 1_000],
    ],
    invalid: ['-1', '1.5', 'never'],
    expected: /milliseconds from 0/,
  },
  WEBHOOK_ALLOW: {
    read: ({ webhooks }) => webhooks.allowed.map(({ port }) => port),
    byDefault: [],
    valid: [
      ['erp.internal:8080', [8080]],
      ['*.corp.example:*, 10.0.0.0/8:443,[fd00::/8]:1', [undefined, 443, 1]],
    ],
    invalid: ['erp.internal', '*:*', 'http://erp.internal:80', '10.0.0.0/33:80', '::1:80', ','],
    expected: /^WEBHOOK_ALLOW must be hosts with ports, separated by commas, such as erp\.internal:8080, /,
  },
  WEBHOOK_DISABLE_AFTER_HOURS: {
    read: ({ webhooks }) => webhooks.disableAfterHours,
    byDefault: 120,
    valid: [
      ['1', 1],
      ['720', 720],
    ],
    invalid: ['0', '721', '1.5', '5d'],
    expected: /^WEBHOOK_DISABLE_AFTER_HOURS must be .*1 to 720/,
  },
  SECRETS_KEY: {
    read: ({ webhooks }) => webhooks.secretKeys,
    byDefault: [],
    valid: [
      [secretKeys[0], [secretKeys[0]]],
      [secretKeys.join(', '), secretKeys],
    ],
    invalid: [
      'AAAA',
      'A'.repeat(44),
      `${'A'.repeat(42)}B=`,
      `${secretKeys[0]},`,
      `${secretKeys[0]},${secretKeys[0]}`,
    ],
    expected:
      /^SECRETS_KEY must be 1 to 10 different keys separated by commas, each of 32 bytes in base64, such as openssl /,
  },
  CORS_ORIGIN: {
    read: ({ crossOrigin }) => crossOrigin.origin,
    byDefault: 'http://127.0.0.1:3000',
    valid: [
      ['https://shop.example', 'https://shop.example'],
      ['http://localhost:8080', 'http://localhost:8080'],
    ],
    invalid: [
      '*',
      'shop.example',
      'https://shop.example/',
      'https://a.example, https://b.example',
      'https://*.example',
      'https://a.example:443',
      'HTTPS://A.example',
      'null',
      'ftp://a',
    ],
    expected: /an origin such as https:\/\/shop\.example/,
  },
  CORS_ALLOW_METHODS: {
    read: ({ crossOrigin }) => crossOrigin.methods,
    byDefault: 'GET, POST, PUT, DELETE',
    valid: [
      ['GET, PATCH', 'GET, PATCH'],
      ['GET,PATCH', 'GET, PATCH'],
    ],
    invalid: ['GET PATCH', 'GET;', ',', 'GET\r\nX-A: b'],
    expected: /methods with commas between/,
  },
  CORS_ALLOW_HEADERS: {
    read: ({ crossOrigin }) => crossOrigin.headers,
    byDefault: 'Content-Type, Authorization',
    valid: [['Content-Type,X-B3-TraceId, Idempotency-Key', 'Content-Type, X-B3-TraceId, Idempotency-Key']],
    invalid: ['Content-Type:', 'a b', 'Content-Type\n'],
    expected: /header names with commas between/,
  },
  TRUST_PROXY: {
    read: ({ behindProxy }) => behindProxy,
    byDefault: false,
    valid: [
      ['1', true],
      ['0', false],
    ],
    invalid: ['true', 'yes', '2'],
    expected: /1 or 0/,
  },
  DEPRECATED_VERSIONS: {
    read: ({ deprecations }) => Object.fromEntries(deprecations),
    byDefault: {},
    valid: [['v1=2027-06-30T00:00:00Z', { v1: Date.UTC(2027, 5, 30) }]],
    invalid: [
      'v1',
      'v1=',
      'v1=2027-06-30',
      'v1=2027-02-30T00:00:00Z',
      'v2=2027-06-30T00:00:00Z',
      'constructor=x',
    ],
    expected: /v1=2027-06-30T00:00:00Z/,
  },
  PAYMENT_PROVIDER: {
    read: ({ payment }) => payment,
    byDefault: { provider: 'sandbox' },
    beside: { STRIPE_SECRET_KEY: 'sk_test_1' },
    valid: [
      ['sandbox', { provider: 'sandbox' }],
      [
        'stripe',
        {
          provider: 'stripe',
          secretKey: 'sk_test_1',
          apiBase: undefined,
          methods: ['card'],
          webhookSecrets: [],
        },
      ],
      [someModule, { provider: 'custom', module: moduleOf('PAYMENT_PROVIDER', 'openPaymentProvider') }],
    ],
    invalid: ['paypal', 'Sandbox'],
    expected: /sandbox or stripe/,
  },
  STRIPE_API_BASE: {
    read: ({ payment }) => payment.provider === 'stripe' && payment.apiBase,
    byDefault: undefined,
    beside: stripe,
    valid: [
      ['https://api.stripe.com', 'https://api.stripe.com'],
      ['https://stripe.example:8443/', 'https://stripe.example:8443'],
      ['http://127.0.0.1:12111', 'http://127.0.0.1:12111'],
      ['http://localhost:12111', 'http://localhost:12111'],
      ['http://[::1]:12111', 'http://[::1]:12111'],
    ],
    invalid: [
      'api.stripe.com',
      'http://api.stripe.com',
      'http://127.0.0.1.evil.example',
      'http://192.168.1.1:12111',
      'https://api.stripe.com/v1',
      'https://api.stripe.com?a',
      'https://user:password@api.stripe.com',
      'ftp://127.0.0.1',
    ],
    expected: /https origin such as https:\/\/api\.stripe\.com, or an http origin of this machine/,
  },
  PROVIDER_EVENTS_PORT: {
    read: ({ providerEvents }) => providerEvents?.port,
    byDefault: undefined,
    beside: { PAYMENT_PROVIDER: someModule },
    valid: [['3100', 3100]],
    invalid: ['65536', '-1', 'x', '1.5'],
    expected: /whole number from 0 to 65535/,
  },
  STRIPE_METHODS: {
    read: ({ payment }) => payment.provider === 'stripe' && payment.methods,
    byDefault: ['card'],
    beside: stripe,
    valid: [
      ['card', ['card']],
      ['card, ideal,us_bank_account', ['card', 'ideal', 'us_bank_account']],
    ],
    invalid: [
      'Card',
      'card,',
      'card,card',
      'card ideal',
      ',',
      Array.from('abcdefghijklmnopqrstu', (x) => `${x}a`).join(),
    ],
    expected: /types of payment methods, such as card,ideal/,
  },
  PAYMENT_TIMEOUT_MS: {
    read: ({ times }) => times.payment,
    byDefault: 10_000,
    valid: [['1', 1]],
    invalid: ['0', ...notNumbers],
    expected: /milliseconds from 1/,
  },
  REQUEST_TIMEOUT_MS: {
    read: ({ times }) => times.request,
    byDefault: 10_000,
    valid: [
      ['100', 100],
      ['600000', 600_000],
    ],
    invalid: ['99', '600001', ...notNumbers],
    expected: /milliseconds from 100 to 600000/,
  },
  SHUTDOWN_DRAIN_MS: {
    read: ({ times }) => times.drain,
    byDefault: 2_000,
    valid: [['0', 0]],
    invalid: ['600001', ...notNumbers],
    expected: /milliseconds from 0 to 600000/,
  },
  MAX_IN_FLIGHT: {
    read: ({ maxInFlight }) => maxInFlight,
    byDefault: 1_000,
    valid: [['1', 1]],
    invalid: ['0', ...notNumbers],
    expected: /a whole number from 1/,
  },
  MAX_WAITING: {
    read: ({ maxWaiting }) => maxWaiting,
    byDefault: 200,
    valid: [
      ['0', 0],
      ['1', 1],
    ],
    invalid: ['-1', ...notNumbers],
    expected: /a whole number from 0/,
  },
  PAYMENT_ACTION_TTL_MINUTES: {
    read: ({ times }) => times.actionLifetime,
    byDefault: 3_600_000,
    valid: [
      ['5', 300_000],
      ['1440', 86_400_000],
    ],
    invalid: ['4', '1441', '5.5', ...notNumbers],
    expected: /minutes from 5 to 1440/,
  },
  PAYMENT_CAPTURE: {
    read: ({ paymentCapture }) => paymentCapture,
    byDefault: 'automatic',
    valid: [['manual', 'manual']],
    invalid: ['later', 'Manual', '1'],
    expected: /automatic or manual/,
  },
  IDEMPOTENCY_LEASE_MS: {
    read: ({ times }) => times.lease,
    byDefault: 30_000,
    valid: [['10000', 10_000]],
    invalid: ['9999', '0', ...notNumbers],
    expected: /at least PAYMENT_TIMEOUT_MS \(10000\)/,
  },
  RECONCILE_AFTER_MS: {
    read: ({ times }) => times.reconcileAfter,
    byDefault: 60_000,
    valid: [['250', 250]],
    invalid: ['0', ...notNumbers],
    expected: /milliseconds from 1/,
  },
  LOG_FORMAT: {
    read: ({ logFormat }) => logFormat,
    byDefault: 'auto',
    valid: [
      ['json', 'json'],
      ['pretty', 'pretty'],
    ],
    invalid: ['JSON', 'text', ' '],
    expected: /auto, json or pretty/,
  },
  LOG_LEVEL: {
    read: ({ logLevel }) => logLevel,
    byDefault: 'info',
    valid: [['silent', 'silent']],
    invalid: ['INFO', 'loud'],
    expected: /one of fatal, error, warn, info/,
  },
  SEED_DEMO: {
    read: ({ seedDemo }) => seedDemo,
    byDefault: true,
    valid: [
      ['0', false],
      ['1', true],
    ],
    invalid: ['true', 'no'],
    expected: /1 or 0/,
  },
};

const expectInvalid = (environment: Environment, name: string, expected: RegExp): void => {
  let thrown: unknown;
  try {
    readConfig(environment);
  } catch (error) {
    thrown = error;
  }
  expect(thrown, JSON.stringify(environment)).to.be.instanceOf(SettingError);
  const { message } = thrown as SettingError;
  expect(message)
    .to.match(new RegExp(`^${name} must `))
    .and.match(expected);
  expect(message).to.match(/^[^\n]+\.$/);
};

describe('A value with an invisible end', () => {
  for (const [name, text] of [
    ['PORT', '3000\r'],
    ['PORT', ' 3000'],
    ['LOG_LEVEL', 'info\u200b'],
    ['CORS_ORIGIN', '\ufeffhttps://shop.example'],
    ['ADMIN_API_KEY', `${key}\u00a0`],
    ['DATABASE_URL', '\u200bmemory:'],
    ['TRUST_PROXY', '1\n'],
  ] as const) {
    it(`is shown as such: ${JSON.stringify([name, text])}`, () => {
      expectInvalid(
        { [name]: text },
        name,
        /\. Its value begins or ends with a space or an invisible character/,
      );
    });
  }

  it('gets no such advice where it is wrong in another way', () => {
    expectInvalid({ PORT: 'x' }, 'PORT', /^PORT must be a whole number from 0 to 65535\.$/);
  });
});

for (const [name, { read, byDefault, beside, valid, invalid, expected }] of Object.entries(settings)) {
  describe(name, () => {
    it(`is ${JSON.stringify(byDefault) ?? 'undefined'} by default, and when it is set to an empty text`, () => {
      expect(read(readConfig({ ...beside }))).to.deep.equal(byDefault);
      expect(read(readConfig({ ...beside, [name]: '' }))).to.deep.equal(byDefault);
    });

    for (const [text, value] of valid) {
      it(`can be ${text}`, () => {
        expect(read(readConfig({ ...beside, [name]: text }))).to.deep.equal(value);
      });
    }

    for (const text of invalid) {
      it(`cannot be ${JSON.stringify(text)}, and the error says what it can be`, () => {
        expectInvalid({ ...beside, [name]: text }, name, expected);
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

  it('allow replicas for PostgreSQL only', () => {
    const environment = { DATABASE_URL: 'memory:', DATABASE_REPLICA_URLS: 'postgres://one/shop' };
    expectInvalid(environment, 'DATABASE_REPLICA_URLS', /PostgreSQL only/);
  });

  it('hand DATABASE_URL over unread beside PERSISTENCE_ADAPTER, and do without the demonstration', () => {
    for (const DATABASE_URL of ['', ' libsql://%zz ', 'postgres:', 'sqlite:data/portico.db']) {
      const { database, seedDemo } = readConfig({ PERSISTENCE_ADAPTER: someModule, DATABASE_URL });
      expect([database.kind, database.url, seedDemo]).to.deep.equal(['custom', DATABASE_URL, false]);
    }
    const environment = { PERSISTENCE_ADAPTER: someModule, DATABASE_REPLICA_URLS: 'postgres://one/shop' };
    expectInvalid(environment, 'DATABASE_REPLICA_URLS', /PostgreSQL only/);
  });

  it('allow other addresses with TLS, or behind a proxy that speaks it', () => {
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE, cert } = certificate;
    const config = readConfig({ HOST: '0.0.0.0', TLS_CERT_FILE, TLS_KEY_FILE });
    expect(config.tls?.cert).to.equal(cert);
    expect(config.crossOrigin.origin).to.equal('https://127.0.0.1:3000');
    expect(readConfig({ HOST: '0.0.0.0', TRUST_PROXY: '1' }).host).to.equal('0.0.0.0');
  });

  it('need both files of TLS, each with the right content', async () => {
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE } = certificate;
    const none = join(folder, 'none.pem');
    const text = join(folder, 'text.pem');
    const broken = join(folder, 'broken.pem');
    await writeFile(text, 'Not a certificate.');
    await writeFile(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expectInvalid({ TLS_CERT_FILE }, 'TLS_KEY_FILE', /TLS_CERT_FILE/);
    expectInvalid({ TLS_KEY_FILE }, 'TLS_CERT_FILE', /TLS_KEY_FILE/);
    for (const file of [none, text, broken, folder]) {
      expectInvalid({ TLS_CERT_FILE: file, TLS_KEY_FILE }, 'TLS_CERT_FILE', /PEM file/);
      expectInvalid({ TLS_CERT_FILE, TLS_KEY_FILE: file }, 'TLS_KEY_FILE', /PEM file/);
    }
    const another = certificate.anotherKeyFile;
    expectInvalid({ TLS_CERT_FILE, TLS_KEY_FILE: another }, 'TLS_KEY_FILE', /private key/);
  });

  it('read no file that never ends or is far too large', async () => {
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE } = certificate;
    const large = join(folder, 'large.pem');
    await writeFile(large, certificate.cert.padEnd(1024 * 1024 + 1, '\n'));
    for (const file of ['/dev/zero', large]) {
      expectInvalid(
        { TLS_CERT_FILE: file, TLS_KEY_FILE },
        'TLS_CERT_FILE',
        /a regular file of at most 1 MiB/,
      );
      expectInvalid({ TLS_CERT_FILE, TLS_KEY_FILE: file }, 'TLS_KEY_FILE', /a regular file of at most 1 MiB/);
      for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
        const url = `postgres://ada:word@db.example/shop?sslmode=verify-full&${name}=${encodeURIComponent(file)}`;
        expectInvalid(
          { DATABASE_URL: url },
          'DATABASE_URL',
          new RegExp(`${name}.* a regular file of at most 1 MiB`),
        );
        expectInvalid(
          { DATABASE_URL: 'postgres://db.example/shop', DATABASE_REPLICA_URLS: url },
          'DATABASE_REPLICA_URLS',
          new RegExp(name),
        );
      }
    }
    const url = `postgres://db.example/shop?sslmode=verify-full&sslrootcert=${TLS_CERT_FILE}`;
    expect(readConfig({ DATABASE_URL: url }).database.url).to.equal(url);
  });

  it('name the parameter of a PostgreSQL URL that is unknown or has no effect, and never its value', () => {
    for (const [parameters, expected] of [
      ['?sslmod=secret', /the parameter sslmod, which has no effect\. .* sslmode, /],
      ['?SSLMODE=verify-full', /the parameter SSLMODE,/],
      ['?sslmode=verify-full&constructor=secret', /the parameter constructor,/],
      ['?__proto__=secret', /the parameter __proto__,/],
      ['?a%0Ab%1b=secret', /the parameter a\?b\?,/],
      ['?hostaddr=secret', /hostaddr/],
      ['?replication=true', /replication/],
      ['?sslcrl=secret', /sslcrl/],
      ['?sslmode=', /the parameter sslmode\. It can be disable, .*verify-full/],
      ['?sslmode', /sslmode/],
      ['?sslmode=verify_full', /sslmode/],
      ['?sslmode=verify-full&sslmode=disable', /the parameter sslmode once/],
      ['?ssl=', /the parameter ssl\. It can be true, 1, 0/],
      ['?ssl=false', /the parameter ssl\./],
      ['?ssl=true&sslmode=disable', /sslmode=disable where it has ssl/],
      ['?sslrootcert=', /the parameter sslrootcert\. It must not be empty/],
      ['?sslnegotiation=secret', /postgres, direct/],
      ['?statement_timeout=5s', /statement_timeout\. It must be a number of milliseconds without a unit/],
      ['?lock_timeout=1min', /lock_timeout\. .*milliseconds/],
      ['?idle_in_transaction_session_timeout=never', /milliseconds/],
      ['?query_timeout=2%20s', /query_timeout\. .*milliseconds/],
      ['?sslmode=disable&sslnegotiation=direct', /sslnegotiation=direct without TLS/],
      [
        '?schema=public',
        /the parameter schema\. Remove it: public is the default\. .*search_path%3D<schema>/,
      ],
      ['?connection_limit=1&currentSchema=public', /the parameter currentSchema\. Remove it: public is/],
      ['?schema=secret', /options=-c%20search_path%3D<schema>/],
      ['?currentSchema=secret', /the parameter currentSchema\. .*search_path/],
      ['?search_path=secret', /the parameter search_path\. .*search_path/],
      ['?channel_binding=require', /channel_binding\. .*verify-full/],
      ['?target_session_attrs=', /target_session_attrs\. .*primary/],
      ['?target_session_attrs=read-write', /target_session_attrs/],
      ['?gssencmode=require', /gssencmode/],
      ['?client_encoding=latin1', /client_encoding/],
      ['#?sslmode=verify-full', /must not contain #\. Write %23/],
      ['?sslmode=verify-full#secret', /must not contain #/],
    ] as const) {
      const url = `postgres://ada:word@db.example/shop${parameters}`;
      const replica = {
        DATABASE_URL: 'postgres://db/shop',
        DATABASE_REPLICA_URLS: `postgres://one/shop,${url}`,
      };
      expectInvalid({ DATABASE_URL: url }, 'DATABASE_URL', expected);
      expectInvalid({ DATABASE_URL: url }, 'DATABASE_URL', /^(?!.*(secret|word@))/);
      expectInvalid(replica, 'DATABASE_REPLICA_URLS', expected);
    }
    const replicas = { ...onPostgres, DATABASE_REPLICA_URLS: 'postgres://u@/shop?host=/tmp' };
    expect(readConfig(replicas).database.replicas).to.deep.equal(['postgres://u@localhost/shop?host=/tmp']);
  });

  it('reject a PGSSLMODE that the driver takes for plain text, unless the URL decides', () => {
    const problem = (parameters: string, PGSSLMODE: string) =>
      environmentProblem(new URLSearchParams(parameters), { PGSSLMODE });
    expect(problem('', 'verify-ful')).to.match(/^must have the parameter sslmode, .*PGSSLMODE/);
    expect(problem('', '')).to.equal(undefined);
    expect(problem('', 'verify-full')).to.equal(undefined);
    expect(problem('sslmode=require', 'verify-ful')).to.equal(undefined);
  });

  it('name the parameter of a MariaDB URL that is unknown or has no effect, and never its value', () => {
    for (const [parameters, expected] of [
      ['?sslmode=secret', /must not have the parameter sslmode: MariaDB takes ssl=true and sslrootcert only/],
      ['?ssl=true&pool=secret', /must not have the parameter pool:/],
      ['?SSL=true', /must not have the parameter SSL: .* Write ssl=true in its place/],
      ['?ssl-mode=REQUIRED', /ssl-mode: .* Write ssl=true in its place/],
      ['?charset=latin1', /must not have the parameter charset:/],
      ['?ssl=secret', /must have ssl=true or no ssl/],
      ['?ssl', /must have ssl=true or no ssl/],
      ['?ssl=true&ssl=false', /must have ssl=true or no ssl/],
      ['?sslrootcert=secret', /must have ssl=true where it has sslrootcert/],
      ['?a%0Ab=secret', /must not have the parameter a\?b:/],
      ['#?ssl=true', /must not contain #\. Write %23/],
      ['?ssl=true&sslrootcert=secret', /must name in sslrootcert a file that can be read/],
    ] as const) {
      const DATABASE_URL = `mariadb://ada:word@db.example/shop${parameters}`;
      expectInvalid({ DATABASE_URL }, 'DATABASE_URL', expected);
      expectInvalid({ DATABASE_URL }, 'DATABASE_URL', /^(?!.*(secret|word))/);
    }
    for (const host of ['127.0.0.1', '[::1]']) {
      const DATABASE_URL = `mariadb://ada:word@${host}/shop?ssl=true`;
      expectInvalid({ DATABASE_URL }, 'DATABASE_URL', /must name the host as its certificate does/);
    }
    const url = `mariadb://db.example/shop?ssl=true&sslrootcert=${certificate.certFile}`;
    expect(readConfig({ DATABASE_URL: url }).database.url).to.equal(url);
  });

  it('give a lease at least the timeout of a payment', () => {
    expect(readConfig({ PAYMENT_TIMEOUT_MS: '45000' }).times.lease).to.equal(45_000);
    const environment = { PAYMENT_TIMEOUT_MS: '45000', IDEMPOTENCY_LEASE_MS: '30000' };
    expectInvalid(environment, 'IDEMPOTENCY_LEASE_MS', /45000/);
  });

  it('need all of an identity provider or none, and a transport that keeps its keys unchanged', () => {
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
      provision: false,
      roleClaim: undefined,
      scopesClaim: undefined,
      adminLogin: undefined,
    });
    const claims = {
      JWT_USER_CLAIM: 'email',
      JWT_TRUST_EMAIL: '1',
      JWT_PROVISION: '1',
      JWT_ROLE_CLAIM: 'realm_access.roles',
      JWT_SCOPES_CLAIM: 'scope',
    };
    expect(readConfig({ ...whole, ...claims }).identityProvider).to.deep.include({
      ...{
        userClaim: 'email',
        trustEmail: true,
        provision: true,
        roleClaim: 'realm_access.roles',
        scopesClaim: 'scope',
      },
    });
    for (const name of Object.keys(whole)) {
      expectInvalid({ ...whole, [name]: '' }, name, /must be set where JWT_\w+ is/);
    }
    expectInvalid({ ...whole, JWT_TRUST_EMAIL: 'yes' }, 'JWT_TRUST_EMAIL', /1 or 0/);
    expectInvalid({ ...whole, JWT_PROVISION: 'yes' }, 'JWT_PROVISION', /1 or 0/);
    expectInvalid({ JWT_PROVISION: '1' }, 'JWT_ISSUER', /must be set where JWT_PROVISION is/);
    expectInvalid({ JWT_ROLE_CLAIM: 'roles' }, 'JWT_ISSUER', /JWT_ROLE_CLAIM/);
    for (const url of [
      'http://id.example/keys',
      'id.example',
      'file:///keys',
      'https://ada:x@id.example/keys',
    ]) {
      expectInvalid({ ...whole, JWT_JWKS_URL: url }, 'JWT_JWKS_URL', /https/);
    }
    for (const url of ['http://127.0.0.1:8080/keys', 'http://localhost/keys', 'http://[::1]:1/keys']) {
      expect(readConfig({ ...whole, JWT_JWKS_URL: url }).identityProvider?.keysUrl).to.equal(url);
    }
  });

  it('need an identity provider whose endpoints can be found where the admin page signs people in', () => {
    const whole = {
      JWT_ISSUER: 'https://id.example/realms/shop',
      JWT_AUDIENCE: 'shop',
      JWT_JWKS_URL: 'https://id.example/keys',
      ADMIN_OIDC_CLIENT_ID: 'portico-admin',
    };
    const loginOf = (environment: Environment) => readConfig(environment).identityProvider?.adminLogin;
    expect(loginOf(whole)).to.deep.equal({ clientId: 'portico-admin', scope: 'openid' });
    const more = { ...whole, ADMIN_OIDC_SCOPE: 'openid offline_access api://shop/admin' };
    expect(loginOf(more)?.scope).to.equal('openid offline_access api://shop/admin');
    expect(loginOf({ ...whole, JWT_ISSUER: 'http://127.0.0.1:8080' })?.clientId).to.equal('portico-admin');
    for (const name of ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'])
      expectInvalid({ ...whole, [name]: '' }, name, /must be set where/);
    expectInvalid(
      { ADMIN_OIDC_CLIENT_ID: 'a' },
      'JWT_ISSUER',
      /^JWT_ISSUER must be set where ADMIN_OIDC_CLIENT_ID is/,
    );
    const { ADMIN_OIDC_CLIENT_ID: _, ...without } = more;
    expectInvalid(without, 'ADMIN_OIDC_CLIENT_ID', /must be set where ADMIN_OIDC_SCOPE is/);
    for (const issuer of ['shop', 'http://id.example', 'https://id.example/?a=1', 'https://ada:x@id.example'])
      expectInvalid({ ...whole, JWT_ISSUER: issuer }, 'JWT_ISSUER', /https URL where ADMIN_OIDC_CLIENT_ID/);
    for (const scope of ['email', 'openid  email', 'openid "all"', `openid ${'a'.repeat(500)}`])
      expectInvalid({ ...whole, ADMIN_OIDC_SCOPE: scope }, 'ADMIN_OIDC_SCOPE', /openid among them/);
    expectInvalid({ ...whole, ADMIN_OIDC_CLIENT_ID: 'a b' }, 'ADMIN_OIDC_CLIENT_ID', /visible ASCII/);
  });

  it('need a secret key for Stripe that fits into a header', () => {
    const { PAYMENT_PROVIDER, STRIPE_SECRET_KEY } = stripe;
    expectInvalid({ PAYMENT_PROVIDER }, 'STRIPE_SECRET_KEY', /PAYMENT_PROVIDER is stripe/);
    expect(readConfig({ STRIPE_SECRET_KEY }).payment).to.deep.equal({ provider: 'sandbox' });
    for (const secretKey of ['sk test', 'sk_test\r\nX-A: b', 'sk_tést', 'k'.repeat(256)]) {
      expectInvalid({ PAYMENT_PROVIDER, STRIPE_SECRET_KEY: secretKey }, 'STRIPE_SECRET_KEY', /visible ASCII/);
    }
  });

  it('have up to three secrets for events of Stripe, which are no other word of Stripe', () => {
    const secretsOf = (STRIPE_WEBHOOK_SECRETS: string) => {
      const { payment } = readConfig({ ...stripe, PROVIDER_EVENTS_PORT: '3100', STRIPE_WEBHOOK_SECRETS });
      return payment.provider === 'stripe' && payment.webhookSecrets;
    };
    expect(secretsOf('whsec_1')).to.deep.equal(['whsec_1']);
    expect(secretsOf('whsec_1, whsec_2 ,whsec_3')).to.deep.equal(['whsec_1', 'whsec_2', 'whsec_3']);
    for (const text of [
      ...[',', 'whsec_1,', 'whsec_1,,whsec_2', 'whsec_1,whsec_2,whsec_3,whsec_4', 'whsec 1', 'whsec_é'],
      ...[
        `whsec_${'1'.repeat(250)}`,
        'sk_test_1',
        'rk_live_1',
        'pk_test_1',
        'whsec_1,we_1',
        'ed_1',
        'acct_1',
      ],
    ])
      expectInvalid(
        { ...stripe, PROVIDER_EVENTS_PORT: '3100', STRIPE_WEBHOOK_SECRETS: text },
        'STRIPE_WEBHOOK_SECRETS',
        /must be 1 to 3 signing secrets of Stripe's webhook endpoints, such as whsec_/,
      );
  });

  it('need both the port and the secrets for events of Stripe, on the address of the API', () => {
    const both = { ...stripe, PROVIDER_EVENTS_PORT: '3100', STRIPE_WEBHOOK_SECRETS: 'whsec_1' };
    expect(readConfig(both).providerEvents).to.deep.equal({ host: '127.0.0.1', port: 3100 });
    const open = { ...both, HOST: '0.0.0.0', TRUST_PROXY: '1' };
    expect(readConfig(open).providerEvents).to.deep.equal({ host: '0.0.0.0', port: 3100 });
    for (const port of ['', '0'])
      expectInvalid(
        { ...both, PROVIDER_EVENTS_PORT: port },
        'PROVIDER_EVENTS_PORT',
        /must be set where STRIPE_WEBHOOK_SECRETS is\.$/,
      );
    expectInvalid(
      { ...both, STRIPE_WEBHOOK_SECRETS: '' },
      'STRIPE_WEBHOOK_SECRETS',
      /must be set where PROVIDER_EVENTS_PORT is\.$/,
    );
  });

  it('receive no events for the sandbox, and those of a provider from outside without secrets of Stripe', () => {
    const port = { PROVIDER_EVENTS_PORT: '3100' };
    expectInvalid(port, 'PROVIDER_EVENTS_PORT', /must be 0 with the sandbox/);
    expect(readConfig({ PROVIDER_EVENTS_PORT: '0' }).providerEvents).to.equal(undefined);
    const custom = { PAYMENT_PROVIDER: someModule };
    expect(readConfig({ ...custom, ...port }).providerEvents).to.include({ port: 3100 });
    for (const other of [{}, custom])
      expectInvalid(
        { ...other, ...port, STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
        'STRIPE_WEBHOOK_SECRETS',
        /must be empty unless PAYMENT_PROVIDER is stripe\.$/,
      );
  });

  it('never pay for a demonstration with real money', () => {
    expect(readConfig(stripe).seedDemo).to.equal(false);
    expect(readConfig({ ...stripe, SEED_DEMO: '0' }).seedDemo).to.equal(false);
    expectInvalid({ ...stripe, SEED_DEMO: '1' }, 'SEED_DEMO', /PAYMENT_PROVIDER is sandbox/);
  });

  it('fill only the default database with the demonstration', () => {
    expect(readConfig({ DATABASE_URL: ' memory:\n' }).database.url).to.equal('memory:');
    expect(readConfig({ DATABASE_URL: 'memory:' }).seedDemo).to.equal(false);
    expect(readConfig({ DATABASE_URL: 'sqlite:other.db' }).seedDemo).to.equal(false);
    expect(readConfig({ DATABASE_URL: 'memory:', SEED_DEMO: '1' }).seedDemo).to.equal(true);
  });

  it('never show the value of a secret', () => {
    const secret = 'too-short-a-secret';
    expect(() => readConfig({ ADMIN_API_KEY: secret }))
      .to.throw(SettingError)
      .and.not.match(new RegExp(secret));
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'])
      expect(() => readConfig({ [name]: `${secret} and a space` }))
        .to.throw(SettingError)
        .and.not.match(new RegExp(secret));
    const received = { ...stripe, PROVIDER_EVENTS_PORT: '1', STRIPE_WEBHOOK_SECRETS: 'whsec_1,whsec_2' };
    expect(secretsIn(readConfig(received))).to.deep.equal(['sk_test_1', 'whsec_1', 'whsec_2']);
  });

  it('show a number that is out of range, and no other value', () => {
    const message = (environment: Environment): string => {
      try {
        return JSON.stringify(readConfig(environment));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message({ PORT: '70000' })).to.equal('PORT must be a whole number from 0 to 65535, not 70000.');
    expect(message({ PORT: 'word' })).to.equal('PORT must be a whole number from 0 to 65535.');
    expect(message({ ADMIN_API_KEY: '123456' })).not.to.include('123456');
    expect(message({ DATABASE_URL: '123456' })).not.to.include('123456');
  });
});
