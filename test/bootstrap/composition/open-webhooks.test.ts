import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { openSecretBox, openWebhookSender } from '#bootstrap/composition/ports/open-webhooks.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Instant } from '#domain/instant.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const place = { ownerId: '1', secretId: '2' };
const key = `${'A'.repeat(43)}=`;

describe('The box of secrets of a database', () => {
  const folder = temporaryFolder();
  const open = (environment: Readonly<Record<string, string>>) => openSecretBox(readConfig(environment));

  it('on a server has the key of SECRETS_KEY, and without it names the variable', async () => {
    for (const url of ['postgres://db/shop', 'mariadb://ada:word@db/shop?ssl=true']) {
      const without = open({ DATABASE_URL: url });
      expect(without.problem).to.match(/^SECRETS_KEY is not set\. .*openssl rand -base64 32/);
      expect(await without.seal('secret', place).catch((error) => error.message)).to.equal(without.problem);
      const box = open({ DATABASE_URL: url, SECRETS_KEY: key });
      expect(box.problem).to.equal(undefined);
      expect(
        await open({ DATABASE_URL: url, SECRETS_KEY: key }).open(await box.seal('secret', place), place),
      ).to.equal('secret');
    }
  });

  it('in a SQLite file has a key beside it, so that another process opens what this one has sealed', async () => {
    const environment = { DATABASE_URL: `sqlite:${folder('portico.db')}` };
    const box = open(environment);
    expect(box.problem).to.equal(undefined);
    expect(readdirSync(folder())).to.deep.equal([]);
    const sealed = await box.seal('secret', place);
    expect(await open(environment).open(sealed, place)).to.equal('secret');
    expect(readdirSync(folder())).to.deep.equal(['portico.db.secrets-key']);
  });

  it('in memory has a key that ends with it', async () => {
    for (const url of ['memory:', 'sqlite::memory:']) {
      const box = open({ DATABASE_URL: url });
      const sealed = await box.seal('secret', place);
      expect(await box.open(sealed, place)).to.equal('secret');
      expect(
        await open({ DATABASE_URL: url })
          .open(sealed, place)
          .catch((error) => error.kind),
      ).to.equal('unavailable');
    }
  });
});

describe('The sender of webhooks of the settings', () => {
  const senderOf = (environment: Readonly<Record<string, string>>) =>
    openWebhookSender(readConfig(environment), { now: () => Instant.at(0) });

  it('calls what WEBHOOK_ALLOW names, and nothing else that is not public', () => {
    const url = 'http://127.0.0.1:9000/';
    expect(senderOf({}).problemOf(url)).to.match(/WEBHOOK_ALLOW/);
    expect(senderOf({ WEBHOOK_ALLOW: '127.0.0.1:9000' }).problemOf(url)).to.equal(undefined);
    expect(senderOf({ WEBHOOK_ALLOW: '127.0.0.1:9001' }).problemOf(url)).to.match(/WEBHOOK_ALLOW/);
  });
});
