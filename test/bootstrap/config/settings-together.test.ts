import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig, secretsIn } from '#bootstrap/config/config.ts';
import { type Environment, SettingError } from '#bootstrap/config/env-parser.ts';
import { certificate } from '../../http/support/certificate.ts';
import { expectInvalid } from '../support/settings.ts';

const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };

/** A module that is any file of this repository, because no setting loads it before the start. */
const someModule = './domain/index.ts';

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

  it('give a lease at least the timeout of a payment', () => {
    expect(readConfig({ PAYMENT_TIMEOUT_MS: '45000' }).times.lease).to.equal(45_000);
    const environment = { PAYMENT_TIMEOUT_MS: '45000', IDEMPOTENCY_LEASE_MS: '30000' };
    expectInvalid(environment, 'IDEMPOTENCY_LEASE_MS', /45000/);
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
