import { expect } from 'chai';
import { inspectMariaDb } from '#adapters/persistence/mariadb/inspect.ts';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { errorLines } from '#bootstrap/cli/error-messages.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { describeMariaDb } from '#test/support/mariadb.ts';
import { MariaDbServer, runStatement } from '#test/support/mariadb-server.ts';

describeMariaDb('MariaDB with settings of its own', () => {
  let server: MariaDbServer;
  let count = 0;
  before(async () => {
    server = await MariaDbServer.make(['log-bin = bin', 'binlog-format = MIXED']);
    await server.start();
  });
  after(() => server.remove());

  const set = (setting: string) => runStatement(server.url, `set global ${setting}`);
  const database = async (): Promise<string> => {
    count += 1;
    await runStatement(server.url, `create database shop_${count}`);
    return server.url.replace(/\/mysql$/, `/shop_${count}`);
  };

  it('migrates and commits although the server begins a transaction with each statement', async () => {
    await set('autocommit = 0');
    await set("completion_type = 'CHAIN'");
    try {
      const url = await database();
      const first = await openMariaDb({ url });
      const product = aProduct();
      await first.unitOfWork.run(({ products }) => products.add(product));
      await first.quotas?.({ limit: 5, windowMilliseconds: 60_000 }).lease([{ key: 'k', count: 2 }]);
      await first.close();
      const { pending } = await inspectMariaDb({ url });
      expect(pending).to.deep.equal([]);
      const second = await openMariaDb({ url });
      expect(second.isNew).to.equal(false);
      expect(await second.unitOfWork.read(({ products }) => products.find(product.id))).to.deep.equal(
        product,
      );
      const [window] = (await second.quotas?.({ limit: 5, windowMilliseconds: 60_000 }).read(['k'])) ?? [];
      expect(window).to.include({ unleased: 3 });
      await second.close();
    } finally {
      await set('autocommit = 1');
      await set("completion_type = 'NO_CHAIN'");
    }
  });

  it('names a binary log that takes no rows, at the start, to the doctor, and to each probe', async () => {
    const url = await database();
    const store = await openMariaDb({ url });
    expect(await store.schema()).to.not.have.property('problem');
    await set("binlog_format = 'STATEMENT'");
    const problem = 'rejects every write: its binlog_format is STATEMENT';
    try {
      expect(await inspectMariaDb({ url })).to.include({ problem });
      expect(await store.schema()).to.include({ problem: `the database ${problem}` });
      const [line, ...others] = errorLines(await rejectionOf(openMariaDb({ url })));
      expect(line).to.contain(`It ${problem}. Set binlog_format to ROW or MIXED`);
      expect(others).to.deep.equal([]);
    } finally {
      await set("binlog_format = 'MIXED'");
      await store.close();
    }
  });

  it('says which setting forbids a write that begins meanwhile, in one line', async () => {
    const url = await database();
    await (await openMariaDb({ url })).close();
    const store = await openMariaDb({ url });
    await set("binlog_format = 'STATEMENT'");
    try {
      const adding = () => store.unitOfWork.run(({ products }) => products.add(aProduct()));
      // A connection of before may still accept it; enough at once need others.
      const results = await Promise.allSettled(Array.from({ length: 10 }, adding));
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(failures).to.have.length.above(0);
      for (const failure of failures)
        expect(errorLines(failure)).to.deep.equal([
          'The server rejects every write, because its binlog_format is STATEMENT. Set it to ROW or MIXED.',
        ]);
    } finally {
      await set("binlog_format = 'MIXED'");
      await store.close();
    }
  });

  it('says that statements are too long for the server', async () => {
    const url = await database();
    await set('max_allowed_packet = 1048576');
    try {
      const problem = 'has a max_allowed_packet of 1048576 bytes, which rejects long statements';
      expect(await inspectMariaDb({ url })).to.include({ problem });
      expect(String(await rejectionOf(openMariaDb({ url })))).to.match(/unavailable/);
    } finally {
      await set('max_allowed_packet = 16777216');
    }
  });

  it('is unavailable while the server has as many prepared statements as it takes', async () => {
    const url = await database();
    await (await openMariaDb({ url })).close();
    await set('max_prepared_stmt_count = 0');
    try {
      expect(await rejectionOf(openMariaDb({ url }))).to.include({ kind: 'unavailable' });
    } finally {
      await set('max_prepared_stmt_count = 16382');
    }
  });
});
