import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { ensureOperator } from '#application/accounts/operator-account.ts';
import { Instant } from '#domain/instant.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { Id } from '#domain/resource.ts';
import { machineClock, newId } from '../../support/machine.ts';

/**
 * Opens a store, ensures that the operator exists, increments the stock of a product twenty times if one is given, and prints
 * whether the store was new. Tests start several at once: `node another-process.ts <file or URL> [product]`
 */
const [, , place = '', product = ''] = process.argv;
const store = await (place.startsWith('postgres')
  ? openPostgres({ url: place })
  : openSqlite({ file: place }));
await ensureOperator({ unitOfWork: store.unitOfWork, clock: machineClock, newId });
const id = Id.parse<ProductId>(product);
for (let count = 0; id !== undefined && count < 20; count += 1) {
  await store.unitOfWork.run(async ({ products }) => {
    const held = await products.lock(id);
    if (held === undefined) throw new Error('The test has added it.');
    await products.save(Product.release(held, Quantity.of(1), Instant.at(Date.now())));
  });
}
await store.close();
process.stdout.write(store.isNew ? 'new' : 'old');
