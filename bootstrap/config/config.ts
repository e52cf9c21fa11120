import { X509Certificate } from 'node:crypto';
import { hasTokenForm } from '#adapters/auth/jwt-pattern.ts';
import type { Deprecations } from '#adapters/http/versions.ts';
import { requireUsablePair } from '#adapters/system/certificate-pair.ts';
import { type LogLevel, logLevels } from '#adapters/system/log.ts';
import { type Database, defaultDatabase, parseDatabase, parseReplicas } from './database.ts';
import { parseDeprecations } from './deprecations.ts';
import {
  anyText,
  decimal,
  type Environment,
  integerBetween,
  oneOf,
  parseSetting,
  SettingError,
  visibleAscii,
  zeroOrOne,
} from './env-parser.ts';
import { type IdentityProvider, readIdentityProvider } from './identity-provider.ts';
import { isLoopback } from './loopback.ts';
import { type PaymentSettings, readPayment } from './payment.ts';
import { readPem, requireTlsFiles } from './tls-files.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly ops: { readonly host: string; readonly port: number } | undefined;
  /** PEM texts, and the files where they are, which may get others. */
  readonly tls:
    | { readonly cert: string; readonly key: string; readonly certFile: string; readonly keyFile: string }
    | undefined;
  readonly behindProxy: boolean;
  readonly database: Database;
  readonly adminApiKey: string | undefined;
  /** Whose tokens are taken beside our own keys. */
  readonly identityProvider: IdentityProvider | undefined;
  readonly rateLimit: { readonly limit: number; readonly windowMilliseconds: number };
  readonly crossOrigin: { readonly origin: string; readonly methods: string; readonly headers: string };
  readonly deprecations: Deprecations;
  readonly payment: PaymentSettings;
  /** Milliseconds. */
  readonly times: {
    readonly lease: number;
    readonly reconcileAfter: number;
    readonly orderLifetime: number;
    readonly payment: number;
    /** How long a request may take to be answered, the provider's time not counted. */
    readonly request: number;
    /** How long requests are still taken once the end has been announced. */
    readonly drain: number;
  };
  /** How many requests may be under way at once. */
  readonly maxInFlight: number;
  readonly logLevel: LogLevel;
  /** Whether an empty database is filled with a demonstration. */
  readonly seedDemo: boolean;
}

const minute = 60_000;
const second = 1_000;
const longest = 2 ** 31 - 1;

/** Everything that can be set, checked. @throws SettingError */
export const readConfig = (environment: Environment): Config => {
  const read = <A, B>(name: string, takes: string, reader: (text: string) => A | undefined, otherwise: B) =>
    parseSetting(environment, name, takes, reader, otherwise);
  const port = (name: string, otherwise: number) =>
    read(name, 'a port from 0 to 65535', integerBetween(0, 65_535), otherwise);
  const milliseconds = (name: string, otherwise: number) =>
    read(name, `a number of milliseconds from 1 to ${longest}`, integerBetween(1, longest), otherwise);

  const database = readStore(environment);
  const host = read('HOST', 'an address or a host name', anyText, '127.0.0.1');
  const apiPort = port('PORT', 3000);
  const opsPort = port('OPS_PORT', 9090);
  const behindProxy = read('TRUST_PROXY', '1 or 0', zeroOrOne, false);
  const tls = readTls(
    read('TLS_CERT_FILE', 'a PEM file', anyText, undefined),
    read('TLS_KEY_FILE', 'a PEM file', anyText, undefined),
  );
  requireSafeTransport(host, behindProxy, tls !== undefined);
  const payment = readPayment(environment);
  const paymentTime = milliseconds('PAYMENT_TIMEOUT_MS', 10_000);
  const seedDemo = read('SEED_DEMO', '1 or 0', zeroOrOne, undefined);
  if (seedDemo && payment.provider !== 'sandbox') {
    throw new SettingError(
      'SEED_DEMO',
      'takes 0 unless PAYMENT_PROVIDER is sandbox, with which its orders are paid.',
    );
  }

  return {
    host,
    port: apiPort,
    ops:
      opsPort === 0
        ? undefined
        : { host: read('OPS_HOST', 'an address or a host name', anyText, '127.0.0.1'), port: opsPort },
    tls,
    behindProxy,
    database,
    adminApiKey: read(
      'ADMIN_API_KEY',
      '32 to 200 visible ASCII characters, and not in the form of a JWT',
      adminKey,
      undefined,
    ),
    identityProvider: readIdentityProvider(environment),
    rateLimit: {
      limit: read('RATE_LIMIT_MAX', `a whole number from 1 to ${longest}`, integerBetween(1, longest), 600),
      windowMilliseconds:
        second *
        read(
          'RATE_LIMIT_WINDOW_SECONDS',
          'a whole number of seconds from 1 to 86400',
          integerBetween(1, 86_400),
          60,
        ),
    },
    crossOrigin: {
      origin: read(
        'CORS_ORIGIN',
        'an origin such as https://shop.example',
        origin,
        `${tls ? 'https' : 'http'}://127.0.0.1:${apiPort}`,
      ),
      methods: read('CORS_ALLOW_METHODS', 'methods with commas between', names, 'GET, POST, PUT, DELETE'),
      headers: read(
        'CORS_ALLOW_HEADERS',
        'header names with commas between',
        names,
        'Content-Type, Authorization',
      ),
    },
    deprecations: read(
      'DEPRECATED_VERSIONS',
      'versions and the times of their end, such as v1=2027-06-30T00:00:00Z',
      parseDeprecations,
      new Map(),
    ),
    payment,
    times: {
      payment: paymentTime,
      request: read(
        'REQUEST_TIMEOUT_MS',
        'a number of milliseconds from 100 to 600000',
        integerBetween(100, 600_000),
        10_000,
      ),
      drain: read(
        'SHUTDOWN_DRAIN_MS',
        'a number of milliseconds from 0 to 600000',
        integerBetween(0, 600_000),
        2_000,
      ),
      lease: read(
        'IDEMPOTENCY_LEASE_MS',
        `a number of milliseconds, at least PAYMENT_TIMEOUT_MS (${paymentTime})`,
        integerBetween(paymentTime, longest),
        Math.max(30_000, paymentTime),
      ),
      reconcileAfter: milliseconds('RECONCILE_AFTER_MS', 60_000),
      orderLifetime: minute * read('ORDER_TTL_MINUTES', 'a number of minutes, 0 for no end', decimal, 1440),
    },
    maxInFlight: read(
      'MAX_IN_FLIGHT',
      `a whole number from 1 to ${longest}`,
      integerBetween(1, longest),
      1_000,
    ),
    logLevel: read('LOG_LEVEL', `one of ${logLevels.join(', ')}`, oneOf(logLevels), 'info'),
    seedDemo: seedDemo ?? (database.url === defaultDatabase.url && payment.provider === 'sandbox'),
  };
};

const readStore = (environment: Environment): Database => {
  const database = parseSetting(
    environment,
    'DATABASE_URL',
    'sqlite:<file>, sqlite::memory:, memory: or postgres://<user>:<password>@<host>:<port>/<database>',
    parseDatabase,
    defaultDatabase,
  );
  const poolSize = parseSetting(
    environment,
    'DATABASE_POOL_SIZE',
    'a whole number from 1 to 1000',
    integerBetween(1, 1000),
    10,
  );
  const replicas = parseSetting(
    environment,
    'DATABASE_REPLICA_URLS',
    'addresses such as postgres://<user>:<password>@<host>:<port>/<database>, with commas between',
    parseReplicas,
    [],
  );
  if (database.kind === 'postgres') {
    requireTlsFiles('DATABASE_URL', database.url);
    for (const url of replicas) requireTlsFiles('DATABASE_REPLICA_URLS', url);
    return { ...database, poolSize, replicas };
  }
  if (replicas.length === 0) return database;
  throw new SettingError(
    'DATABASE_REPLICA_URLS',
    'takes nothing unless DATABASE_URL is a PostgreSQL database: replicas are for PostgreSQL only.',
  );
};

/** What has the form of a token is looked for at an identity provider. */
const adminKey = (text: string): string | undefined =>
  hasTokenForm(text) ? undefined : visibleAscii(32, 200)(text);

const names = (text: string): string | undefined =>
  /^[A-Za-z0-9-]+(, ?[A-Za-z0-9-]+)*$/.test(text) ? text.split(/, ?/).join(', ') : undefined;

const origin = (text: string): string | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text ? text : undefined;
};

const readTls = (certFile: string | undefined, keyFile: string | undefined): Config['tls'] => {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined) throw new SettingError('TLS_CERT_FILE', 'must be set where TLS_KEY_FILE is.');
  if (keyFile === undefined) throw new SettingError('TLS_KEY_FILE', 'must be set where TLS_CERT_FILE is.');
  const pair = { cert: readPem('TLS_CERT_FILE', certFile), key: readPem('TLS_KEY_FILE', keyFile) };
  requireUsable(
    'TLS_CERT_FILE',
    'takes a PEM file with a certificate.',
    () => new X509Certificate(pair.cert),
  );
  requireUsable('TLS_KEY_FILE', "takes a PEM file with the certificate's private key.", () =>
    requireUsablePair(pair),
  );
  return { ...pair, certFile, keyFile };
};

const requireUsable = (name: string, remedy: string, look: () => unknown): void => {
  try {
    look();
  } catch {
    throw new SettingError(name, remedy);
  }
};

/** Keys and payments do not travel in the clear: without TLS of its own, or a proxy's, Portico stays at home. */
const requireSafeTransport = (host: string, behindProxy: boolean, hasTls: boolean): void => {
  if (hasTls || behindProxy || isLoopback(host)) return;
  throw new SettingError(
    'HOST',
    'takes a loopback address such as 127.0.0.1 for plain HTTP; for any other set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=1 behind a proxy that speaks HTTPS.',
  );
};
