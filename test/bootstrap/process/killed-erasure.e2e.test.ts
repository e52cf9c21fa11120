import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Json } from '../../http/support/client.ts';
import { expectOne } from '../../http/support/expectations.ts';
import { databaseTexts } from '../../support/database-texts.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { type Server, startServer } from '../support/server.ts';

const planted = 'Wolpertinger-7391';

describe('An erasure', () => {
  const place = temporaryFolder();

  it('is completed after its server was killed again and again', async () => {
    const url = `sqlite:${place('shop.db')}`;
    const start = (): Promise<Server> =>
      startServer({ DATABASE_URL: url, REQUEST_TIMEOUT_MS: '2000', RECONCILE_AFTER_MS: '500' });
    let server = await start();
    const operator = () => server.client;
    const product = { name: 'Tea', price: { amount: 450, currency: 'EUR' }, stock: 1_000 };
    const tea = expectOne(await operator().post('/v1/products', product), 201);
    const details = { email: 'wolpertinger@example.com', name: planted };
    const user = expectOne(await operator().post('/v1/users', details), 201);
    const orders: Json[] = [];
    for (let count = 0; count < 150; count += 1) {
      const body = { product_id: tea.id, quantity: 1, user_id: user.id, note: planted };
      orders.push(expectOne(await operator().post('/v1/orders', body), 201));
    }
    const erasure = expectOne(await operator().post('/v1/erasures', { user_id: user.id }), 201);
    const now = async () => expectOne(await operator().get(`/v1/erasures/${erasure.id}`));
    for (const delay of [300, 450, 600]) {
      await wait(delay);
      await server.program.kill();
      server = await start();
    }
    await until(now, ({ status }) => status === 'completed', 60_000);
    for (const { id } of orders) {
      const order = expectOne(await operator().get(`/v1/orders/${id}`));
      expect(order).to.include({ status: 'canceled', note: null });
    }
    expect(expectOne(await operator().get(`/v1/products/${tea.id}`)).stock).to.equal(1_000);
    server.program.signal('SIGTERM');
    await server.program.ended();
    expect(await databaseTexts(url)).not.to.include(planted);
  });
});
