import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { readConfig, secretsIn } from '#bootstrap/config/config.ts';
import type { Environment } from '#bootstrap/config/env-parser.ts';
import { secretSettings } from '#bootstrap/config/secret-file.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';
import { settingErrorOf } from '../support/settings.ts';

const key = 'k'.repeat(32);

/** This user exists on every system. */
const unprivilegedUser = 65_534;

/** What each secret needs beside it, a value, and how it is read. */
const secrets = {
  DATABASE_URL: {
    beside: {},
    value: 'postgres://ada:word@db.example/shop',
    read: (environment: Environment) => readConfig(environment).database.url,
  },
  DATABASE_REPLICA_URLS: {
    beside: { DATABASE_URL: 'postgres://db.example/shop' },
    value: 'postgres://ada:word@one.example/shop',
    read: (environment: Environment) => readConfig(environment).database.replicas?.join(),
  },
  ADMIN_API_KEY: {
    beside: {},
    value: key,
    read: (environment: Environment) => readConfig(environment).adminApiKey,
  },
  STRIPE_SECRET_KEY: {
    beside: { PAYMENT_PROVIDER: 'stripe' },
    value: 'sk_test_1',
    read: (environment: Environment) => {
      const { payment } = readConfig(environment);
      return payment.provider === 'stripe' ? payment.secretKey : undefined;
    },
  },
  STRIPE_WEBHOOK_SECRETS: {
    beside: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', PROVIDER_EVENTS_PORT: '3100' },
    value: 'whsec_1,whsec_2',
    read: (environment: Environment) => {
      const { payment } = readConfig(environment);
      return payment.provider === 'stripe' ? payment.webhookSecrets.join() : undefined;
    },
  },
  SECRETS_KEY: {
    beside: {},
    value: `${'A'.repeat(43)}=,${'B'.repeat(42)}A=`,
    read: (environment: Environment) => readConfig(environment).webhooks.secretKeys.join(),
  },
} as const;

describe('A secret in a file', () => {
  const place = temporaryFolder();
  before(() => {
    symlinkSync(place('secret'), place('link'));
    mkdirSync(place('folder'));
  });
  const write = (content: string | Uint8Array): string => {
    writeFileSync(place('secret'), content);
    return place('secret');
  };
  it('is possible for every setting with a secret', () => {
    expect(Object.keys(secrets)).to.have.members([...secretSettings]);
    const environment = Object.assign(
      {},
      ...Object.entries(secrets).map(([name, { beside, value }]) => ({ ...beside, [name]: value })),
    );
    const found = secretsIn(readConfig(environment));
    expect(found).to.include.members(['word', key, 'sk_test_1', `${'B'.repeat(42)}A=`]);
  });

  const all = Object.entries(secrets).map(([name, secret]) => ({
    ...{ name, fileName: `${name}_FILE` },
    ...secret,
  }));

  it('is read, without the line breaks at its end', () => {
    for (const { name, fileName, beside, value, read } of all) {
      for (const content of [value, `${value}\n`, `${value}\r\n`, `${value}\n\n`, `\ufeff${value}\n`]) {
        expect(read({ ...beside, [fileName]: write(content) }), JSON.stringify(content)).to.equal(value);
      }
      expect(read({ ...beside, [name]: '', [fileName]: place('link') })).to.equal(value);
      expect(read({ ...beside, [name]: value, [fileName]: '' })).to.equal(value);
    }
  });

  it('is rejected beside the variable', () => {
    for (const { name, fileName, beside, value } of all) {
      const message = settingErrorOf({ ...beside, [name]: value, [fileName]: write(value) });
      expect(message).to.equal(
        `${fileName} must not be set where ${name} is. Remove one of them, or set it to an empty text.`,
      );
    }
  });

  it('is rejected when the file is unusable, which the error names', () => {
    for (const { fileName, beside, value } of all) {
      for (const [path, reason] of [
        [place('absent'), /no such file or directory/],
        [place('folder'), /a regular file/],
        ['/dev/zero', /a regular file/],
        [`${write('')}/below`, /not a directory/],
      ] as const) {
        const message = settingErrorOf({ ...beside, [fileName]: path });
        expect(message).to.match(reason).and.include(path);
        expect(message).to.match(new RegExp(`^${fileName} must name a regular file that this user can read`));
      }
      for (const [content, reason] of [
        ['', /which is empty/],
        ['\n', /which is empty/],
        ['\r\n\r\n', /which is empty/],
        [`${value}\nmore`, /which has several lines/],
        [`\n${value}`, /which has several lines/],
        [`${value}\rmore`, /which has several lines/],
        [Buffer.from(`\ufeff${value}`, 'utf16le'), /no text in UTF-8/],
        [Buffer.from([0xff, 0xe9]), /no text in UTF-8/],
        [`${value}\0`, /no text in UTF-8/],
      ] as const) {
        const message = settingErrorOf({ ...beside, [fileName]: write(content) });
        expect(message)
          .to.match(reason)
          .and.include(`${fileName} must not name ${place('secret')}, which`);
        expect(message).not.to.include(value);
      }
    }
  });

  it('is rejected in quotes, and so is its path', () => {
    for (const { name, fileName, beside, value } of all) {
      const quoted = settingErrorOf({ ...beside, [fileName]: write(`"${value}"\n`) });
      expect(quoted).to.match(
        new RegExp(`^${name}, read from ${place('secret')}, must not begin and end with a quote`),
      );
      expect(settingErrorOf({ ...beside, [fileName]: `'${place('secret')}'` })).to.match(
        new RegExp(`^${fileName} must not begin and end with a quote`),
      );
    }
  });

  it("is not shown when it is the value of the file's setting by mistake", () => {
    for (const { fileName, beside, value } of all) {
      for (const text of [value, `${value}\n`]) {
        const message = settingErrorOf({ ...beside, [fileName]: text });
        expect(message).to.match(new RegExp(`^${fileName} must be the path of a file, not the value itself`));
        expect(message).not.to.include(value);
      }
    }
  });

  it('is checked like the variable, and the error names its file', () => {
    const path = write('too-short');
    expect(settingErrorOf({ ADMIN_API_KEY_FILE: path }))
      .to.match(new RegExp(`^ADMIN_API_KEY, read from ${path}, must be 32 to 200 visible`))
      .and.not.include('too-short');
    expect(settingErrorOf({ DATABASE_URL_FILE: write('postgres://db/shop?sslmod=verify-full') })).to.include(
      'sslmod',
    );
  });

  it('must be readable for this user', function () {
    const { seteuid } = process;
    if (process.getuid?.() !== 0 || seteuid === undefined) return this.skip();
    const path = write(key);
    chmodSync(path, 0o600);
    seteuid(unprivilegedUser);
    try {
      expect(settingErrorOf({ ADMIN_API_KEY_FILE: path })).to.include('permission denied');
    } finally {
      seteuid(0);
    }
  });

  it('is used by commands', async () => {
    const settings = {
      DATABASE_URL_FILE: write(`sqlite:${place('shop.db')}\n`),
      ADMIN_API_KEY_FILE: place('key'),
    };
    writeFileSync(place('key'), key);
    const made = await runHere(['keys', 'create', '--admin'], settings);
    expect(made.code, made.errors).to.equal(0);
    const checked = await runHere(['doctor', '--json'], settings);
    expect(checked.output).to.include(`at ${place('shop.db')} is reachable`);
    writeFileSync(place('key'), '');
    const { code, errors } = await runHere(['keys', 'list'], settings);
    expect([code, errors]).to.deep.equal([
      1,
      `portico: ADMIN_API_KEY_FILE must not name ${place('key')}, which is empty. Write the value into it.\n`,
    ]);
  });
});
