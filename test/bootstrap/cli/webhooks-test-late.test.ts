import { expect } from 'chai';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { startReceiver } from '../../adapters/webhooks/receiver.ts';
import { Client } from '../../http/support/client.ts';
import { newEndpoint, webhookSettings } from '../../http/support/webhooks.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

const key = 'an-administrator-of-webhooks-here';

describe('portico webhooks test', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('waits for a receiver that answers late, and fails where there is no result', async () => {
    const settings = {
      ...{ DATABASE_URL: `sqlite:${folder('late.db')}`, PORT: '0', OPS_PORT: '0', SEED_DEMO: '0' },
      ...{ ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*', ADMIN_API_KEY: key, LOG_LEVEL: 'error' },
    };
    const receiver = await startReceiver((_, response) => {
      setTimeout(() => response.writeHead(500).end(), 7_000);
    });
    const app = await startApp(readConfig(settings));
    const client = new Client(() => app.url, key);
    const { id } = await newEndpoint(client, {
      ...{ url: `http://127.0.0.1:${receiver.port}/`, event_types: ['order.paid'] },
    });
    const late = await runHere(['webhooks', 'test', id], settings);
    expect(late.errors).to.match(/did not accept the delivery \S+: status with status 500 after \d{4,5} ms/);
    expect(late.code).to.equal(1);
    await app.close();

    // It cannot decrypt the secret of the endpoint, so it sends nothing.
    const other = { ...settings, SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') };
    const ignorant = await startApp(readConfig(other));
    const silent = await runHere(['webhooks', 'test', id], settings);
    expect(silent.errors).to.match(/has no result after 20 seconds\. .* its secret cannot be decrypted/);
    expect(silent.code).to.equal(1);
    await ignorant.close();
    await receiver.close();
  });
});
