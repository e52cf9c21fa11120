import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';
import { canaries } from './canary-secrets.ts';

/** `canaries.e2e.test.ts` has whole servers. */
describe('No secret', () => {
  const place = temporaryFolder();

  it('appears in the output of a start that fails because of it', async () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${canaries.tlsKey}\n-----END PRIVATE KEY-----\n`;
    await writeFile(place('key.pem'), pem);
    const { url, drop } = await freshDatabase();
    await drop();
    const gone = new URL(url);
    gone.password = canaries.databasePassword;
    const settings: readonly Readonly<Record<string, string>>[] = [
      { TLS_CERT_FILE: place('key.pem'), TLS_KEY_FILE: place('key.pem') },
      { DATABASE_URL: gone.href },
      { DATABASE_URL: `postgres://shop:${canaries.databasePassword}@127.0.0.1:1/shop` },
      { DATABASE_URL: `postgres://shop:${canaries.databasePassword}%zz@127.0.0.1:1/shop` },
      { DATABASE_URL: `postgres://shop:${canaries.databasePassword}@[::bad/shop` },
      { ADMIN_API_KEY: `${canaries.bearer} ` },
      { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: `${canaries.stripeKey}\u0007` },
      { STRIPE_WEBHOOK_SECRETS: `${canaries.webhookSecret} ` },
      { STRIPE_WEBHOOK_SECRETS: canaries.webhookSecret },
    ];
    for (const environment of settings) {
      const usual = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'trace' };
      const { code, output, errors } = await runHere(['start'], { ...usual, ...environment });
      expect(code, Object.keys(environment).join()).to.equal(1);
      const said = errors + output;
      expect(said).to.match(/^portico: /);
      for (const secret of Object.values(canaries)) expect(said).not.to.include(secret);
    }
  });
});
