import { expect } from 'chai';
import type { Migrations } from '#adapters/persistence/schema/migrate.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { ending, portico } from '../bootstrap/support/portico.ts';
import { startServer } from '../bootstrap/support/server.ts';
import { expectCreated } from '../http/support/expectations.ts';
import { euros } from '../http/support/shop.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { inDatabase, inFile, later, type Place } from './places.ts';

const describeRollback = (database: string, steps: Migrations, newPlace: () => Promise<Place>) =>
  describe(`An upgrade on ${database}`, () => {
    let place: Place;
    before(async () => {
      place = await newPlace();
      await place.apply([...steps, later]);
    });
    after(() => place.remove());

    it('can be rolled back: this version serves on the tables of a later one, and reports them as later', async () => {
      const { program, client } = await startServer({ DATABASE_URL: place.url });
      const product = { name: 'Tea', price: euros(350), stock: 3 };
      const { id } = expectCreated(await client.post('/v1/products', product), '/v1/products');
      const order = { product_id: id, quantity: 1 };
      const { id: orderId } = expectCreated(await client.post('/v1/orders', order), '/v1/orders');
      const payment = { order_id: orderId, payment_method: 'tok_ok' };
      expectCreated(
        await client.post('/v1/payments', payment, { 'Idempotency-Key': 'once' }),
        '/v1/payments',
      );
      await program.kill();
      const settings = { DATABASE_URL: place.url };
      const status = await ending(portico(['migrate', 'status'], { settings }));
      expect(status.output).to.include('unknown  9998-later, applied by a later version of Portico');
      const { output } = await ending(portico(['doctor'], { settings }));
      expect(output).to.include('applied by a later version of Portico: 9998-later');
    });
  });

const folder = temporaryFolder();
describeRollback('SQLite', migrationsOf('sqlite'), async () => inFile(() => folder('portico.db')));
describeRollback('PostgreSQL', migrationsOf('postgres'), () => inDatabase());
