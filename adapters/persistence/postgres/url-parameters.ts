import { fragmentProblem, shownName } from '../url.ts';

/** The driver drops a unit: it would make 5 ms of `5s`. */
const milliseconds = /^\d{0,9}$/;

/** Parameters that have an effect, with the values that they can have. */
const effective: Readonly<Record<string, RegExp>> = {
  host: /./,
  port: /./,
  user: /./,
  password: /./,
  application_name: /^/,
  fallback_application_name: /^/,
  options: /^/,
  statement_timeout: milliseconds,
  lock_timeout: milliseconds,
  idle_in_transaction_session_timeout: milliseconds,
  query_timeout: milliseconds,
  sslmode: /^(disable|allow|prefer|require|verify-ca|verify-full|no-verify)$/,
  ssl: /^(true|1|0|no-verify|require|verify-full)$/,
  sslrootcert: /./,
  sslcert: /./,
  sslkey: /./,
  sslnegotiation: /^(postgres|direct)$/,
  uselibpqcompat: /^(true|false)$/,
};

/** Parameters of libpq that have no effect here, with the values that ask for nothing else than Portico does. */
const withoutEffect: Readonly<Record<string, RegExp>> = {
  channel_binding: /^(prefer|disable)$/,
  client_encoding: /^(utf-?8|unicode|auto)$/i,
  charset: /^utf-?8$/i,
  encoding: /^(utf-?8|unicode)$/i,
  gssencmode: /^(disable|prefer)$/,
  load_balance_hosts: /^(disable|random)$/,
  target_session_attrs: /^any$/,
};

/** Of other tools: sizes and timeouts of their pools, and how they prepare statements. Portico has its own. */
const harmless: ReadonlySet<string> = new Set([
  // libpq
  ...['connect_timeout', 'keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
  ...['tcp_user_timeout', 'sslcompression', 'sslsni'],
  // Prisma, Doctrine, Rails, Django
  ...['connection_limit', 'pool_timeout', 'socket_timeout', 'pgbouncer', 'statement_cache_size'],
  ...['serverVersion', 'pool', 'timeout', 'checkout_timeout', 'reaping_frequency', 'prepared_statements'],
  ...['variables', 'conn_max_age', 'conn_health_checks'],
  // SQLAlchemy, asyncpg, pgx, JDBC
  ...['pool_size', 'max_overflow', 'prepared_statement_cache_size', 'command_timeout', 'pool_max_conns'],
  ...['pool_min_conns', 'pool_max_conn_lifetime', 'pool_max_conn_idle_time', 'pool_health_check_period'],
  ...['default_query_exec_mode', 'statement_cache_capacity', 'prepareThreshold', 'ApplicationName'],
  ...['connectTimeout', 'socketTimeout', 'loginTimeout', 'tcpKeepAlive', 'reWriteBatchedInserts'],
  // postgres.js, node-postgres, Supabase
  ...['max', 'min', 'idle_timeout', 'max_lifetime', 'prepare', 'workaround', 'supa'],
  ...['connectionTimeoutMillis', 'idleTimeoutMillis'],
]);

/** Names that other tools have for the schema. */
const schemaParameter = /^(schema|current_?schema|search_?path)$/i;

const advice = new Map([
  [
    'channel_binding',
    'Remove it: the driver cannot require channel binding. sslmode=verify-full verifies the server.',
  ],
  ['target_session_attrs', 'Remove it, and name the primary as the host: Portico connects to one server.'],
]);

/**
 * What is wrong with the parameters of a URL, behind the name of the setting; undefined when they can be used. The driver
 * ignores what it does not know: a misspelt `sslmode` would connect in plain text.
 */
export const parameterProblem = (url: URL): string | undefined => {
  const { searchParams } = url;
  for (const [name, value] of searchParams) {
    if (harmless.has(name)) continue;
    const values = ownValue(effective, name) ?? ownValue(withoutEffect, name);
    if (values === undefined) return unknownProblem(name, value);
    if (!values.test(value)) {
      return `must not have that value for the parameter ${name}. ${advice.get(name) ?? valueAdvice(values)}`;
    }
    if (searchParams.getAll(name).length > 1) return `must have the parameter ${name} once.`;
  }
  return fragmentProblem(url) ?? contradiction(searchParams);
};

const ownValue = (values: Readonly<Record<string, RegExp>>, name: string): RegExp | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

const unknownProblem = (name: string, value: string): string => {
  if (schemaParameter.test(name)) {
    // Prisma writes it into each URL.
    const removal =
      value === 'public' ? 'Remove it: public is the default. For another schema, write' : 'Write';
    return `must not have the parameter ${name}. ${removal} options=-c%20search_path%3D<schema> in its place.`;
  }
  const known = Object.keys(effective).join(', ');
  return `must not have the parameter ${shownName(name)}, which has no effect. Remove it, or use one of ${known}.`;
};

/** The values that a pattern lists. */
const valueAdvice = (values: RegExp): string => {
  if (values === milliseconds) return 'It must be a number of milliseconds without a unit, such as 5000.';
  const listed = /\((.+)\)/.exec(values.source)?.[1]?.replaceAll('-?', '-').split('|');
  return listed === undefined ? 'It must not be empty.' : `It can be ${listed.join(', ')}.`;
};

/** A connection in plain text where another parameter asks for TLS. */
const contradiction = (parameters: URLSearchParams): string | undefined => {
  const [mode, ssl] = [parameters.get('sslmode'), parameters.get('ssl')];
  const isPlain = mode === 'disable' || (mode === null && ssl === '0' && !hasTlsFile(parameters));
  if (!isPlain) return undefined;
  if (mode === 'disable' && ssl !== null && ssl !== '0')
    return 'must not have sslmode=disable where it has ssl.';
  return parameters.get('sslnegotiation') === 'direct'
    ? 'must not have sslnegotiation=direct without TLS. Set sslmode=verify-full.'
    : undefined;
};

const hasTlsFile = (parameters: URLSearchParams): boolean =>
  ['sslrootcert', 'sslcert', 'sslkey'].some((name) => parameters.has(name));

/** What `PGSSLMODE` can be. The driver connects in plain text for anything else. */
const environmentModes = /^(disable|prefer|require|verify-ca|verify-full|no-verify)?$/;

/** Checks the driver's own variable, which counts where a URL has no parameter of TLS. */
export const environmentProblem = (
  parameters: URLSearchParams,
  { PGSSLMODE = '' } = process.env,
): string | undefined => {
  const isIgnored = parameters.has('sslmode') || parameters.has('ssl') || hasTlsFile(parameters);
  return isIgnored || environmentModes.test(PGSSLMODE)
    ? undefined
    : 'must have the parameter sslmode, because PGSSLMODE has a value that the driver does not know.';
};
