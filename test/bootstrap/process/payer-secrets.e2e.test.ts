import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { redirectUrl, secret } from '../../application/payer.ts';
import type { Json } from '../../http/support/client.ts';
import { expectOne } from '../../http/support/expectations.ts';
import { once } from '../../http/support/shop.ts';
import { databaseTexts } from '../../support/database-texts.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { startServer } from '../support/server.ts';

const provider = fileURLToPath(new URL('../../http/support/asking-provider.ts', import.meta.url));
const returnUrl = 'https://shop.example/back-to-the-order';

describe('What a payer has to do', () => {
  const place = temporaryFolder();

  it('is in no row and no line of the log', async () => {
    const url = `sqlite:${place('shop.db')}`;
    const { program, client } = await startServer({
      ...{ DATABASE_URL: url, PAYMENT_PROVIDER: provider, LOG_LEVEL: 'trace', LOG_FORMAT: 'json' },
    });
    const product = { name: 'Tea', price: { amount: 450, currency: 'EUR' } };
    const tea = expectOne(await client.post('/v1/products', product), 201);
    const order = async (): Promise<Json> =>
      expectOne(await client.post('/v1/orders', { product_id: tea.id, quantity: 1 }), 201);
    const shown: string[] = [];
    for (const more of [{ return_url: returnUrl }, {}]) {
      const { id: order_id } = await order();
      const body = { order_id, payment_method: 'tok', payer_present: true, ...more };
      const key = once();
      const first = await client.post('/v1/payments', body, key);
      const replay = await client.post('/v1/payments', body, key);
      const path = `/v1/payments/${first.body.data.id}`;
      const read = await client.get(path);
      await client.post('/v1/payments', { ...body, return_url: 'nonsense' }, once());
      await client.post('/v1/payments', body, once());
      await client.patch(path, { status: 'canceled' }, once());
      shown.push(first.text, read.text);
      expect(replay.body.data.next_action).to.equal(null);
    }
    // The test sees what it searches for.
    expect(shown.filter((text) => text.includes(redirectUrl) || text.includes(secret))).to.have.lengthOf(4);
    await program.kill();
    const texts = [program.output, program.errors, await databaseTexts(url)];
    expect(program.errors).to.contain('/v1/payments');
    for (const text of texts) {
      for (const kept of [redirectUrl, secret, returnUrl]) expect(text.includes(kept), kept).to.equal(false);
    }
  });
});
