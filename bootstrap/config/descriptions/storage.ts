import { type SettingGroup, setting } from './description.ts';

export const database: SettingGroup = {
  title: 'Database',
  settings: [
    setting(
      'DATABASE_URL',
      'sqlite:data/portico.db',
      '`sqlite:FILE`, `sqlite::memory:`, `memory:`, `postgres://user:password@host:port/database` or `mariadb://user:password@host:port/database` ([needs a package](mariadb.md)). What follows `sqlite:` is a path as it is: no parameters, no escapes, no `~`, no variables.',
    ),
    setting(
      'DATABASE_POOL_SIZE',
      '10',
      'PostgreSQL: maximum number of connections of each process, and to each replica.',
    ),
    setting('DATABASE_REPLICA_URLS', '', 'PostgreSQL: URLs of read replicas, separated by commas.'),
    setting(
      'SEED_DEMO',
      '',
      '`1` fills an unused database with the demonstration shop, `0` does not. By default only a new default database is filled, and only with the sandbox.',
    ),
  ],
};

export const modules: SettingGroup = {
  title: 'Modules of your own',
  settings: [
    setting(
      'PERSISTENCE_ADAPTER',
      '',
      'A [store of your own](adapters.md): a path such as `./my-store.ts`, or a package. It gets `DATABASE_URL` as it is.',
    ),
    setting(
      'AUTHENTICATOR',
      '',
      'An [authenticator of your own](adapters.md), for credentials that are neither API keys nor access tokens of the identity provider: a path or a package.',
    ),
    setting('RATE_LIMITER', '', 'A [rate limiter of your own](adapters.md): a path or a package.'),
    setting(
      'USE_CASES',
      '',
      '[Rules of your own](adapters.md), which wrap the use cases: a path or a package.',
    ),
  ],
};

const secretInFile = (name: string) =>
  setting(
    `${name}_FILE`,
    '',
    `A [file that holds the value](operations/deploy.md#secrets-in-files) of \`${name}\`. Setting both is an error.`,
  );

export const secretFiles: SettingGroup = {
  title: 'Secrets in files',
  settings: [
    'DATABASE_URL',
    'DATABASE_REPLICA_URLS',
    'ADMIN_API_KEY',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRETS',
    'SECRETS_KEY',
  ].map(secretInFile),
};

export const logs: SettingGroup = {
  title: 'Logs',
  settings: [
    setting(
      'LOG_LEVEL',
      'info',
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Logs go to standard error.',
    ),
    setting(
      'LOG_FORMAT',
      'auto',
      '`json`, `pretty` (for people), or `auto`: pretty on a terminal, else JSON.',
    ),
  ],
};
