import { isJwt } from '#adapters/auth/composite-authenticator.ts';
import { type Deprecations, isVersion, type VersionName } from '#adapters/http/versions.ts';
import { type LogLevel, logLevels } from '#adapters/system/log.ts';
import { type LogFormat, logFormats } from '#adapters/system/readable-log.ts';
import { Instant } from '#domain/instant.ts';
import { type CaptureMethod, captureMethods } from '#domain/payment.ts';
import { type AdapterModule, readAdapterModule } from './adapter-module.ts';
import { type CrossOrigin, readCrossOrigin } from './cross-origin.ts';
import { type Database, isDefault, passwordsOf, readDatabase } from './database.ts';
import { readEnvFile } from './env-file.ts';
import {
  decimal,
  type Environment,
  integerBetween,
  oneOf,
  parseInteger,
  parseSetting,
  readHost,
  SettingError,
  visibleAscii,
  zeroOrOne,
} from './env-parser.ts';
import { type IdentityProvider, readIdentityProvider } from './identity-provider.ts';
import { type OpsSettings, readOps } from './ops.ts';
import { type PagesSettings, readPages } from './pages.ts';
import {
  type PaymentSettings,
  type ProviderEventsSettings,
  readPayment,
  readProviderEvents,
} from './payment.ts';
import { readTls, requireSecureTransport, type TlsSettings } from './tls.ts';
import { readWebhooks, type WebhookSettings } from './webhooks.ts';

export interface Config extends PagesSettings {
  readonly host: string;
  readonly port: number;
  readonly ops: OpsSettings | undefined;
  /** The listener for events of the payment provider. */
  readonly providerEvents: ProviderEventsSettings | undefined;
  readonly tls: TlsSettings | undefined;
  /** Whether a proxy that speaks HTTPS is in front, whose headers are trusted. */
  readonly behindProxy: boolean;
  readonly database: Database;
  readonly adminApiKey: string | undefined;
  readonly identityProvider: IdentityProvider | undefined;
  /** A module whose rules wrap the use cases. */
  readonly useCases: AdapterModule | undefined;
  /** A module that authenticates what is neither an API key nor a token of the identity provider. */
  readonly authenticator: AdapterModule | undefined;
  /** A module that counts requests in place of Portico. */
  readonly rateLimiter: AdapterModule | undefined;
  readonly rateLimit: { readonly limit: number; readonly windowMilliseconds: number };
  readonly crossOrigin: CrossOrigin;
  readonly deprecations: Deprecations;
  readonly payment: PaymentSettings;
  readonly webhooks: WebhookSettings;
  /** When the money of payments is captured, unless the request decides. */
  readonly paymentCapture: CaptureMethod;
  /** Durations in milliseconds. */
  readonly times: {
    readonly lease: number;
    readonly reconcileAfter: number;
    readonly orderLifetime: number;
    /** How long a payer can act, from the creation of the payment. */
    readonly actionLifetime: number;
    /** How long events are kept. */
    readonly eventRetention: number;
    /** How often the payment provider's own list of events is read; 0 means never. */
    readonly eventsPoll: number;
    /** The timeout of one call to the payment provider. */
    readonly payment: number;
    /** The timeout of a request, the payment provider's time not counted. */
    readonly request: number;
    /** How long requests are still accepted after SIGTERM. */
    readonly drain: number;
  };
  /** The maximum number of requests in flight. */
  readonly maxInFlight: number;
  /** The maximum of requests that wait for a change. */
  readonly maxWaiting: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Whether an empty database is filled with the demonstration. */
  readonly seedDemo: boolean;
}

const msPerDay = 86_400_000;
const msPerMinute = 60_000;
const msPerSecond = 1_000;
/** How often the payment provider's own list of events is read where nothing else is set, in milliseconds. */
export const defaultEventsPollMs = 60_000;
/** The largest delay of a timer in Node, and more than enough for any count. */
const maxInteger = 2 ** 31 - 1;

/** Gets the variables that `.env` adds and no setting has the name of, and the settings that have no value. */
type ReportUnknown = (names: readonly string[], unset: readonly string[]) => void;

/**
 * Reads the configuration of this process from its environment, and from `.env` of the working directory. A variable of
 * the environment overrides the file.
 * @param reportUnknown called before anything is checked, because the cause of an error may be a misspelt name
 * @throws SettingError
 */
export const loadConfig = (reportUnknown: ReportUnknown = () => undefined): Config => {
  const added: string[] = [];
  for (const [name, value] of readEnvFile('.env')) {
    if (process.env[name] === undefined && value !== '') added.push(name);
    process.env[name] ??= value;
  }
  const settings = settingNames();
  const unknown = added.filter((name) => !settings.has(name));
  if (unknown.length > 0)
    reportUnknown(
      unknown,
      [...settings].filter((name) => !process.env[name]),
    );
  return readConfig(process.env);
};

/** The names of all settings, each of which is read, also where no other needs it. */
const settingNames = (): ReadonlySet<string> => {
  const names = new Set<string>();
  const nothing: Environment = {};
  readConfig(
    new Proxy(nothing, {
      get: (_, name) => {
        names.add(String(name));
        return undefined;
      },
    }),
  );
  return names;
};

/** Every setting, checked. @throws SettingError */
export const readConfig = (environment: Environment): Config => {
  const database = readDatabase(environment);
  const listeners = readListeners(environment);
  const payment = readPayment(environment);
  return {
    ...listeners,
    ...readPages(environment, listeners),
    providerEvents: readProviderEvents(environment, payment, listeners.host),
    database,
    paymentCapture: parseSetting(
      environment,
      'PAYMENT_CAPTURE',
      'automatic or manual',
      oneOf(captureMethods),
      'automatic',
    ),
    adminApiKey: parseSetting(
      environment,
      'ADMIN_API_KEY',
      '32 to 200 visible ASCII characters, and not in the form of a JWT',
      parseAdminKey,
      undefined,
    ),
    identityProvider: readIdentityProvider(environment),
    useCases: readAdapterModule(environment, 'USE_CASES'),
    authenticator: readAdapterModule(environment, 'AUTHENTICATOR'),
    rateLimiter: readAdapterModule(environment, 'RATE_LIMITER'),
    rateLimit: readRateLimit(environment),
    crossOrigin: readCrossOrigin(environment, urlOf(listeners)),
    deprecations: parseSetting(
      environment,
      'DEPRECATED_VERSIONS',
      'versions and the times of their end, such as v1=2027-06-30T00:00:00Z',
      parseDeprecations,
      new Map(),
    ),
    payment,
    webhooks: readWebhooks(environment),
    times: readTimes(environment),
    maxInFlight: parseInteger(environment, 'MAX_IN_FLIGHT', { min: 1, max: maxInteger }, 1_000),
    maxWaiting: parseInteger(environment, 'MAX_WAITING', { min: 0, max: maxInteger }, 200),
    logLevel: parseSetting(
      environment,
      'LOG_LEVEL',
      `one of ${logLevels.join(', ')}`,
      oneOf(logLevels),
      'info',
    ),
    logFormat: parseSetting(environment, 'LOG_FORMAT', 'auto, json or pretty', oneOf(logFormats), 'auto'),
    seedDemo: readSeedDemo(environment, database, payment),
  };
};

/** The values that must not appear in logs or errors. */
export const secretsIn = ({ adminApiKey, payment, database, tls, webhooks }: Config): readonly string[] =>
  [
    adminApiKey ?? '',
    ...(payment.provider === 'stripe' ? [payment.secretKey, ...payment.webhookSecrets] : []),
    ...passwordsOf(database),
    ...webhooks.secretKeys,
    tls?.key ?? '',
  ].filter((secret) => secret !== '');

const readListeners = (
  environment: Environment,
): Pick<Config, 'host' | 'port' | 'ops' | 'tls' | 'behindProxy'> => {
  const apiHost = readHost(environment, 'HOST');
  const behindProxy = parseSetting(environment, 'TRUST_PROXY', '1 or 0', zeroOrOne, false);
  const tls = readTls(environment);
  requireSecureTransport('HOST', apiHost, behindProxy, tls !== undefined);
  return {
    host: apiHost,
    port: parseInteger(environment, 'PORT', { min: 0, max: 65_535 }, 3000),
    ops: readOps(environment),
    tls,
    behindProxy,
  };
};

/** The address of the API, unless it listens on another one of this machine or on any free port. */
const urlOf = ({ tls, port }: Pick<Config, 'tls' | 'port'>): string =>
  `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;

const readRateLimit = (environment: Environment): Config['rateLimit'] => {
  const window = { min: 1, max: 86_400, unit: ' of seconds' };
  return {
    limit: parseInteger(environment, 'RATE_LIMIT_MAX', { min: 1, max: maxInteger }, 600),
    windowMilliseconds: msPerSecond * parseInteger(environment, 'RATE_LIMIT_WINDOW_SECONDS', window, 60),
  };
};

const readTimes = (environment: Environment): Config['times'] => {
  const milliseconds = (name: string, [min, max]: readonly [number, number], fallback: number) =>
    parseInteger(environment, name, { min, max, unit: ' of milliseconds' }, fallback);
  const payment = milliseconds('PAYMENT_TIMEOUT_MS', [1, maxInteger], 10_000);
  return {
    payment,
    request: milliseconds('REQUEST_TIMEOUT_MS', [100, 600_000], 10_000),
    drain: milliseconds('SHUTDOWN_DRAIN_MS', [0, 600_000], 2_000),
    // Another process may take over an idempotency key when its lease ends, and a payment must have ended by then.
    lease: parseSetting(
      environment,
      'IDEMPOTENCY_LEASE_MS',
      `a number of milliseconds, at least PAYMENT_TIMEOUT_MS (${payment})`,
      integerBetween(payment, maxInteger),
      Math.max(30_000, payment),
    ),
    reconcileAfter: milliseconds('RECONCILE_AFTER_MS', [1, maxInteger], 60_000),
    eventRetention:
      msPerDay *
      parseInteger(environment, 'EVENT_RETENTION_DAYS', { min: 7, max: 365, unit: ' of days' }, 30),
    eventsPoll: milliseconds('PROVIDER_EVENTS_POLL_MS', [0, maxInteger], defaultEventsPollMs),
    actionLifetime:
      msPerMinute *
      parseInteger(
        environment,
        'PAYMENT_ACTION_TTL_MINUTES',
        { min: 5, max: 1_440, unit: ' of minutes' },
        60,
      ),
    orderLifetime:
      msPerMinute *
      parseSetting(environment, 'ORDER_TTL_MINUTES', 'a number of minutes, 0 for no end', decimal, 1440),
  };
};

/** By default only the default database is filled: one that the operator chose may be meant for real data. */
const readSeedDemo = (
  environment: Environment,
  database: Database,
  { provider }: PaymentSettings,
): boolean => {
  const seedDemo = parseSetting(environment, 'SEED_DEMO', '1 or 0', zeroOrOne, undefined);
  if (seedDemo && provider !== 'sandbox') {
    throw new SettingError(
      'SEED_DEMO',
      'must be 0 unless PAYMENT_PROVIDER is sandbox, with which its orders are paid.',
    );
  }
  return seedDemo ?? (isDefault(database) && provider === 'sandbox');
};

/** A key in the form of a JWT would be sent to the identity provider's authenticator instead. */
const parseAdminKey = (text: string): string | undefined =>
  isJwt(text) ? undefined : visibleAscii(32, 200)(text);

/** `v1=2027-06-30T00:00:00Z`, several with commas between; undefined when it is not that. */
const parseDeprecations = (text: string): Deprecations | undefined => {
  const deprecations = new Map<VersionName, number>();
  for (const entry of text.split(',')) {
    const [name = '', time = ''] = entry.trim().split('=');
    const sunset = Instant.parse(time);
    if (!isVersion(name) || sunset === undefined) return undefined;
    deprecations.set(name, Instant.milliseconds(sunset));
  }
  return deprecations;
};
