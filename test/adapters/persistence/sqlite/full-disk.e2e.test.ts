import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { readiness } from '#bootstrap/composition/listeners/readiness.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { fillDisk } from '#test/support/fill-disk.ts';
import { temporaryFolder } from '#test/support/temporary.ts';
import { until } from '#test/support/until.ts';

describe('A full disk of a SQLite database', () => {
  const inFolder = temporaryFolder();

  it('makes a server not ready while its disk is full, until there is room, without a request', async function () {
    const folder = inFolder('small');
    mkdirSync(folder);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status !== 0) {
      console.log('      (skipped: mounting a small disk needs root)');
      this.skip();
    }
    const store = await openSqlite({ file: `${folder}/portico.db` });
    try {
      const add = () =>
        store.unitOfWork.run(({ products }) => products.add(aProduct({ description: 'x'.repeat(1_000) })));
      const findReason = readiness(
        store,
        () => false,
        () => undefined,
      );
      fillDisk(`${folder}/filler`);
      await until(
        () => add().catch(() => 'rejected'),
        (result) => result === 'rejected',
      );
      for (const _ of ['once', 'twice'])
        expect(await findReason()).to.equal('the disk of the database is full. Free some space');
      rmSync(`${folder}/filler`);
      expect(await findReason()).to.equal(undefined);
      await add();
    } finally {
      await store.close();
      spawnSync('umount', [folder]);
    }
  });
});
