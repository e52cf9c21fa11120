import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import { Client } from '../../http/support/client.ts';
import { newEndpoint, webhookSettings } from '../../http/support/webhooks.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Ended, ending, portico } from '../support/portico.ts';

const key = 'an-administrator-of-webhooks-here';

/** Longer than a server is waited for where none delivers. */
const lateMs = 6_000;

describe('portico webhooks test', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver((_, response) => {
      setTimeout(() => response.writeHead(500).end(), lateMs);
    });
  });
  after(() => receiver.close());

  const settingsOf = (name: string) => ({
    ...{ DATABASE_URL: `sqlite:${folder(`${name}.db`)}`, PORT: '0', OPS_PORT: '0', SEED_DEMO: '0' },
    ...{ ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*', ADMIN_API_KEY: key, LOG_LEVEL: 'silent' },
  });
  const open = (settings: Readonly<Record<string, string>>): Promise<App> => startApp(readConfig(settings));

  const endpointOn = async (app: App): Promise<string> => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    const client = new Client(() => app.url, key);
    return (await newEndpoint(client, { url, event_types: ['order.paid'] })).id;
  };
  const test = (id: string, settings: Readonly<Record<string, string>>): Promise<Ended> =>
    ending(portico(['webhooks', 'test', id], { settings }));

  const lateReceiver = async () => {
    const settings = settingsOf('late');
    const app = await open(settings);
    const { code, errors } = await test(await endpointOn(app), settings);
    await app.close();
    expect(errors).to.match(/did not accept the delivery \S+: status with status 500 after \d{4,5} ms/);
    expect(code).to.equal(1);
  };

  const noResult = async () => {
    const settings = settingsOf('ignorant');
    const app = await open(settings);
    const id = await endpointOn(app);
    await app.close();
    // It cannot decrypt the secret of the endpoint, so it sends nothing.
    const ignorant = await open({ ...settings, SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') });
    const { code, errors } = await test(id, settings);
    await ignorant.close();
    expect(errors).to.match(/has no result after 20 seconds\. .* its secret cannot be decrypted/);
    expect(code).to.equal(1);
  };

  const noServer = async () => {
    const settings = settingsOf('alone');
    const app = await open(settings);
    const id = await endpointOn(app);
    await app.close();
    const { code, errors } = await test(id, settings);
    expect(errors).to.match(
      /^Created the delivery \S+\. No server delivers webhooks now: it is sent when one runs\.\n$/,
    );
    expect(code).to.equal(0);
  };

  it('waits for a late receiver, for a result up to its end, and less long where no server runs', async () => {
    // Beside each other, because they do little but wait.
    await Promise.all([lateReceiver(), noResult(), noServer()]);
  });
});
