import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Program } from '../../lab/program.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { freePort, isFree, leave, occupy, portOf } from '../support/ports.ts';
import { serverSettings } from '../support/server-settings.ts';

const usual = { ...serverSettings, DATABASE_URL: 'memory:', LOG_LEVEL: 'silent' };

describe('No resource stays open', () => {
  // Each test starts a process, and the machine may be busy.
  let folder: string;
  let database: Database;
  let taken: Server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-container-'));
    database = await freshDatabase();
    taken = await occupy();
  });
  after(async () => {
    await leave(taken);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const program = new Program('test/bootstrap/composition/open-and-close.ts', {
      environment: { ...usual, ...environment },
    });
    await program.ended();
    return `${program.output} ${program.code}${program.errors}`;
  };

  it('after the service has closed, so that the process ends by itself', async () => {
    const ends = await Promise.all([
      run({ OPS_PORT: `${await freePort()}` }),
      run({ DATABASE_URL: `sqlite:${join(folder, 'a.db')}` }),
      run({ DATABASE_URL: database.url }),
    ]);
    expect(ends).to.deep.equal(['closed 0', 'closed 0', 'closed 0']);
  });

  it('after a start has failed', async () => {
    const port = await freePort();
    const opsTaken = { PORT: `${port}`, OPS_PORT: `${portOf(taken)}` };
    const ends = await Promise.all([
      run(opsTaken),
      run({ PORT: `${portOf(taken)}`, DATABASE_URL: `sqlite:${join(folder, 'b.db')}` }),
      run({ PORT: `${portOf(taken)}`, DATABASE_URL: database.url }),
      run({ DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' }),
    ]);
    expect(ends).to.deep.equal(['failed 0', 'failed 0', 'failed 0', 'failed 0']);
    expect(await isFree(port)).to.equal(true);
  });
});
