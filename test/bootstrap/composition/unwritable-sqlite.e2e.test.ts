import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { Client } from '../../http/support/client.ts';
import { expectCreated } from '../../http/support/expectations.ts';
import { expectProblem } from '../../http/support/protocol.ts';
import { fillDisk } from '../../support/fill-disk.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { type Server, startServer } from '../support/server.ts';

const limit = 100;
const product = { name: 'Tea', description: 'x'.repeat(4_000), price: { amount: 1, currency: 'EUR' } };

describe('A server on a SQLite file that cannot be written', () => {
  const inFolder = temporaryFolder();
  let server: Server | undefined;
  afterEach(() => server?.program.kill());

  const start = async (file: string) => {
    server = await startServer({ DATABASE_URL: `sqlite:${file}`, RATE_LIMIT_MAX: `${limit}` });
    const { client } = server;
    const { token } = expectCreated(await client.post('/v1/api-keys', { name: 'Fresh' }), '/v1/api-keys');
    return { client, fresh: new Client(() => client.base, token) };
  };

  /**
   * Sends as many reads as the rate limit allows, and expects each to succeed and to be counted. If each waited for the store, they
   * would take longer than the test may.
   */
  const expectReadsGoOn = async (fresh: Client): Promise<void> => {
    for (let left = limit - 1; left >= 0; left -= 1) {
      const response = await fresh.get('/v1/products');
      expect(response.status).to.equal(200);
      expect(response.headers.get('X-RateLimit-Remaining')).to.equal(`${left}`);
    }
    expectProblem(await fresh.get('/v1/products'), '429 RATE_LIMITED');
  };

  it('serves reads while another process writes, and accepts changes afterwards', async () => {
    const file = inFolder('written.db');
    const { client, fresh } = await start(file);
    const other = new BetterSqlite3(file);
    other.exec('begin immediate');
    const rejected = client.post('/v1/products', product);
    await expectReadsGoOn(fresh);
    expectProblem(await rejected, '503 SERVICE_UNAVAILABLE');
    other.exec('rollback');
    other.close();
    await until(
      () => client.post('/v1/products', product),
      ({ status }) => status === 201,
    );
    expectProblem(await fresh.get('/v1/products'), '429 RATE_LIMITED');
  });

  it('serves reads while the disk is full, and accepts changes when there is space', async function () {
    const folder = inFolder('small');
    mkdirSync(folder);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status !== 0) {
      console.log('      (skipped: mounting a small disk needs root)');
      this.skip();
    }
    try {
      const { client, fresh } = await start(`${folder}/portico.db`);
      const filler = `${folder}/filler`;
      fillDisk(filler);
      await until(
        () => client.post('/v1/products', product),
        ({ status }) => status === 503,
      );
      await expectReadsGoOn(fresh);
      expectProblem(await client.post('/v1/products', product), '503 SERVICE_UNAVAILABLE');
      rmSync(filler);
      await until(
        () => client.post('/v1/products', product),
        ({ status }) => status === 201,
      );
    } finally {
      await server?.program.kill();
      spawnSync('umount', [folder]);
    }
  });
});
