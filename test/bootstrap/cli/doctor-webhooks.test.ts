import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { configuredKeys, keysBeside } from '#adapters/secrets/secret-keys.ts';
import { checkWebhooks } from '#bootstrap/cli/doctor/webhooks.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { inStoreAt } from '../../support/store-at.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { endpointSealedWith, key, otherKey, withoutEndpoint } from '../support/sealed-endpoint.ts';

describe('The doctor on webhooks', () => {
  const folder = temporaryFolder();
  const check = (environment: Readonly<Record<string, string>>) => checkWebhooks(readConfig(environment));
  const addTo = (file: string, endpoints: readonly WebhookEndpoint[]) =>
    inStoreAt(`sqlite:${file}`, ({ unitOfWork }) =>
      unitOfWork.run(({ webhookEndpoints }) => webhookEndpoints.addAll(endpoints)),
    );
  /** Adds an endpoint whose secrets the key beside the database file encrypts. */
  const sealedBeside = async (file: string): Promise<WebhookEndpoint> => {
    const endpoint = await inStoreAt(`sqlite:${file}`, () => endpointSealedWith(keysBeside(file, [])));
    await addTo(file, [endpoint]);
    return endpoint;
  };
  const onServer = { DATABASE_URL: 'postgres://db/shop' };

  it('says what encrypts the secrets, and shows no key', async () => {
    for (const [environment, message] of [
      [{ ...onServer, SECRETS_KEY: key }, /with SECRETS_KEY$/],
      [{ DATABASE_URL: `sqlite:${folder('a.db')}` }, /with the key in .*a\.db\.secrets-key$/],
      [{ DATABASE_URL: `sqlite:${folder('a.db')}`, SECRETS_KEY: key }, /with SECRETS_KEY$/],
      [{ DATABASE_URL: 'memory:' }, /end with the process$/],
    ] as const) {
      const findings = await check(environment);
      expect(findings.map(({ state }) => state)).to.deep.equal(['ok']);
      expect(findings[0]?.message).to.match(message);
      expect(JSON.stringify(findings)).not.to.include(key);
    }
  });

  it('warns of a key that other users can read', async () => {
    const file = folder('b.db.secrets-key');
    writeFileSync(file, key, { mode: 0o600 });
    const states = async () =>
      (await check({ DATABASE_URL: `sqlite:${folder('b.db')}` })).map(({ state }) => state);
    expect(await states()).to.deep.equal(['ok']);
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(file, mode);
      expect(await states(), mode.toString(8)).to.deep.equal(['warn', 'ok']);
    }
  });

  it('warns of the endpoints whose key in a file is lost, or another one', async () => {
    const file = folder('lost.db');
    const config = readConfig({ DATABASE_URL: `sqlite:${file}` });
    const endpoint = await sealedBeside(file);
    expect((await checkWebhooks(config)).map(({ state }) => state)).to.deep.equal(['ok']);
    const spoil = [
      () => rmSync(`${file}.secrets-key`),
      () => writeFileSync(`${file}.secrets-key`, otherKey, { mode: 0o600 }),
    ];
    for (const change of spoil) {
      change();
      const [finding] = await checkWebhooks(config);
      expect(finding).to.include({
        state: 'warn',
        message: `1 of 1 endpoints receive nothing, because their secrets cannot be decrypted: ${endpoint.id}`,
      });
      expect(finding?.remedy).to.match(
        /^Restore .*lost\.db\.secrets-key from a copy, or replace the secrets/,
      );
    }
  });

  describe('with an unusable key file', () => {
    /** A database with these endpoints, and a key file that holds no key. */
    const damaged = async (name: string, ...endpoints: readonly WebhookEndpoint[]) => {
      const file = folder(name);
      await addTo(file, endpoints);
      writeFileSync(`${file}.secrets-key`, '', { mode: 0o600 });
      return file;
    };
    const problem = (file: string) => `${file}.secrets-key must hold a key: 32 bytes in base64.`;

    it('advises no new secret for what SECRETS_KEY decrypts', async () => {
      const file = await damaged('spare.db', await endpointSealedWith(configuredKeys([key])));
      for (const [keys, other] of [
        [key, /^the secrets of endpoints are encrypted with SECRETS_KEY$/],
        [`${otherKey},${key}`, /are not encrypted with the first key of SECRETS_KEY yet$/],
      ] as const) {
        const [finding, next] = await check({ DATABASE_URL: `sqlite:${file}`, SECRETS_KEY: keys });
        expect(finding).to.deep.equal({
          ...{ check: 'webhooks', state: 'warn', message: `${problem(file)} Deliveries go on without it.` },
          remedy: `Remove ${file}.secrets-key, or restore it from a copy.`,
        });
        expect(next?.message).to.match(other);
      }
    });

    it('names it where a secret needs it, with SECRETS_KEY and without', async () => {
      const sealed = await endpointSealedWith(configuredKeys([otherKey]));
      const file = await damaged('needed.db', sealed);
      for (const environment of [{}, { SECRETS_KEY: key }])
        expect(await check({ DATABASE_URL: `sqlite:${file}`, ...environment })).to.deep.equal([
          {
            ...{ check: 'webhooks', state: 'warn' },
            message: `1 of 1 endpoints receive nothing, because their secrets cannot be decrypted: ${sealed.id}. ${problem(file)}`,
            remedy: `Restore ${file}.secrets-key from a copy, or replace the secrets of these endpoints.`,
          },
        ]);
    });

    it('names it before the first endpoint, and also where others can read it', async () => {
      const file = await damaged('first.db');
      chmodSync(`${file}.secrets-key`, 0o644);
      const [mode, content] = await check({ DATABASE_URL: `sqlite:${file}` });
      expect(mode?.message).to.match(/can be read by other users$/);
      expect(content).to.deep.equal({
        ...{ check: 'webhooks', state: 'warn', message: `${problem(file)} No secret can be encrypted.` },
        remedy: `Restore ${file}.secrets-key from a copy. If there is no endpoint yet, remove it.`,
      });
    });
  });

  it('says to keep the key file while a secret is encrypted with it', async () => {
    const file = folder('moved.db');
    const config = readConfig({ DATABASE_URL: `sqlite:${file}`, SECRETS_KEY: key });
    await sealedBeside(file);
    const [finding] = await checkWebhooks(config);
    expect(finding?.message).to.match(
      /^the secrets of 1 of 1 endpoints are not encrypted with the first key/,
    );
    expect(finding?.remedy).to.match(/^Keep every other key, also one in a file\. The server/);
  });

  it('says what is missing for an endpoint where the database cannot be read', async () => {
    const nothing = async () => undefined;
    const findings = await checkWebhooks(readConfig(onServer), nothing);
    expect(findings).to.deep.equal([withoutEndpoint]);
  });

  it('counts the exceptions of WEBHOOK_ALLOW', async () => {
    const messages = async (allow: string) =>
      (await check({ DATABASE_URL: 'memory:', WEBHOOK_ALLOW: allow })).slice(1);
    expect((await messages('a.example:1')).map(({ message }) => message)).to.deep.equal([
      'WEBHOOK_ALLOW has an exception to public receivers',
    ]);
    expect((await messages('a.example:1,10.0.0.0/8:*'))[0]?.message).to.match(/has 2 exceptions to public/);
  });
});
