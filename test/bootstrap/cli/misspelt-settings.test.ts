import { writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { expect } from 'chai';
import { misspeltSettings } from '#bootstrap/cli/load-settings.ts';
import { environmentIn } from '../../deploy/files.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

const settings = [...environmentIn('.env.example').keys()];

const lineFor = (name: string, meant: string): string =>
  `.env sets ${name}, which is no setting of Portico. Did you mean ${meant}?`;

describe('A name in .env', () => {
  const place = temporaryFolder();

  const misspelt = [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATABASE-URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['PORTICO_DATABASE_URL', 'DATABASE_URL'],
    ['ADMIN_APIKEY', 'ADMIN_API_KEY'],
    ['STRIPE_SECRT_KEY', 'STRIPE_SECRET_KEY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PROT', 'PORT'],
    ['HOSTS', 'HOST'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['CORS_ORIGINS', 'CORS_ORIGIN'],
    ['PORTICO_PORT', 'PORT'],
    ['CORS_ORIGIN_FILE', 'CORS_ORIGIN'],
    ['ADMIN_API_KEY_PATH', 'ADMIN_API_KEY'],
  ] as const;

  it('that is almost a setting gets that as a suggestion', () => {
    for (const [name, meant] of misspelt) {
      expect(misspeltSettings([name], settings), name).to.deep.equal([lineFor(name, meant)]);
    }
  });

  const ofOtherPrograms = [
    ...['POSTGRES_USER', 'POSTGRES_PASSWORD', 'DATABASE_USER', 'DATABASE_HOST', 'DB_URL', 'REDIS_URL'],
    ...['PGPORT', 'APP_HOST', 'APP_PORT', 'API_HOST', 'HOSTNAME', 'NODE_ENV', 'SITE', 'TZ', 'PATH'],
    ...['STRIPE_PUBLIC_KEY', 'NODE_OPTIONS', 'OTEL_TRACES_EXPORTER', 'NO_COLOR', 'JWT_SECRET'],
    ...['COMPOSE_PROJECT_NAME', 'VITE_PORT'],
  ];

  it('that is one of another program stays without comment', () => {
    for (const name of ofOtherPrograms) expect(misspeltSettings([name], settings), name).to.deep.equal([]);
  });

  it('is compared with the settings that have no value only', () => {
    expect(misspeltSettings(['CORS_ORIGINS'], ['HOST'])).to.deep.equal([]);
  });

  const write = (...lines: readonly string[]): void => writeFileSync(place('.env'), `${lines.join('\n')}\n`);
  const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runHere(words, environment, { folder: place() });

  it('is reported before the error that it causes', async () => {
    write('PAYMENT_PROVIDER=stripe', 'STRIPE_SECRT_KEY=sk_test_1');
    const { code, errors } = await run(['start']);
    expect(code).to.equal(1);
    expect(errors).to.equal(
      `portico: ${lineFor('STRIPE_SECRT_KEY', 'STRIPE_SECRET_KEY')}\nportico: STRIPE_SECRET_KEY must be set where PAYMENT_PROVIDER is stripe.\n`,
    );
  });

  it('is reported once by a command, which reads the settings more than once, on standard error', async () => {
    write();
    await run(['users', 'create', '--email', 'ada@example.com', '--name', 'Ada']);
    write('DATABSE_URL=postgres://db/shop');
    let printed = '';
    const stderr = mock.method(process.stderr, 'write', (text: string) => {
      printed += text;
      return true;
    });
    const { code } = await run(['keys', 'list', '--json']).finally(() => stderr.mock.restore());
    expect([code, printed]).to.deep.equal([0, `portico: ${lineFor('DATABSE_URL', 'DATABASE_URL')}\n`]);
  });

  it('is a warning of the doctor', async () => {
    write('OPS_PROT=9999', 'OPS_PORT_FOR_ME=1');
    const { output } = await run(['doctor', '--json'], { PORT: '0', DATABASE_URL: 'memory:' });
    const found = JSON.parse(output).filter(({ check }: { check: string }) => check === 'settings');
    expect(found).to.deep.equal([
      { check: 'settings', state: 'ok', says: 'all settings are valid' },
      {
        check: 'settings',
        state: 'warn',
        says: lineFor('OPS_PROT', 'OPS_PORT'),
        remedy: 'Rename it, or remove it from .env.',
      },
    ]);
  });
});
