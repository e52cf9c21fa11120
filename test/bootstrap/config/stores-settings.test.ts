import { pathToFileURL } from 'node:url';
import { describeSettings, notNumbers } from '../support/settings.ts';

const key = 'k'.repeat(32);

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

describeSettings('the store and the modules', {
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
});
