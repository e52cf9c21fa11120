import { expect } from 'chai';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { describeMariaDb } from '#test/support/mariadb.ts';
import { MariaDbServer } from '#test/support/mariadb-server.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';

describeMariaDb('MariaDB', () => {
  it('is unavailable while its server is frozen, and closes without it', async () => {
    const server = await MariaDbServer.make();
    await server.start();
    // Long enough for a busy machine, which adds a product first.
    const frozen = await openMariaDb({ url: server.url, timeout: 2_000 });
    const product = aProduct();
    await frozen.unitOfWork.run(({ products }) => products.add(product));
    await server.freeze();
    const find = () => frozen.unitOfWork.read(({ products }) => products.find(product.id));
    unavailable(await rejectionOf(find()));
    unavailable(await rejectionOf(openMariaDb({ url: server.url, timeout: 500 })));
    server.signal('SIGCONT');
    expect(
      await until(
        () => find().catch(() => undefined),
        (found) => found !== undefined,
      ),
    ).to.deep.equal(product);
    await server.freeze();
    await frozen.close();
    await server.remove();
  });

  it('keeps what it has acknowledged when its server is killed, and goes on when that is back', async () => {
    const server = await MariaDbServer.make(['innodb-flush-log-at-trx-commit = 1']);
    await server.start();
    const kept = await openMariaDb({ url: server.url });
    const product = aProduct();
    await kept.unitOfWork.run(({ products }) => products.add(product));
    await server.kill();
    unavailable(await rejectionOf(kept.unitOfWork.run(({ products }) => products.add(aProduct()))));
    await server.start();
    const found = await until(
      () => kept.unitOfWork.read(({ products }) => products.find(product.id)).catch(() => undefined),
      (row) => row !== undefined,
    );
    expect(found).to.deep.equal(product);
    await kept.close();
    await server.remove();
  });
});
