import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseCalls, requireStrace, Trace } from '../chaos/calls/trace.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { readTable } from './table.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

/** Half of the units of work of an erasure find nothing to change, and their commits have nothing to wait for. */
const withoutWrites = { 'the erasure of a user with a paid and a pending order': 6 };

/** One client alone, so each commit has its own wait for the disk: with more, one wait serves several. */
describe('The waits for the disk on SQLite', function () {
  this.timeout(120_000);

  const place = temporaryFolder();
  let child: ReturnType<typeof spawn>;
  let names: readonly string[];
  before(async function () {
    try {
      requireStrace();
    } catch {
      return this.skip();
    }
    const url = `sqlite:${place('portico.db')}`;
    child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [{ operations }] = (await once(child, 'message')) as [{ readonly operations: readonly string[] }];
    names = operations;
  });
  after(() => child?.kill());

  const ask = async (message: { readonly name?: string }): Promise<void> => {
    const done = once(child, 'message');
    child.send(message);
    await done;
  };

  it('are one for each commit that has written something', async () => {
    const table = await readTable('sqlite');
    const waits: Record<string, number> = {};
    const commits: Record<string, number | undefined> = {};
    for (const [number, name] of names.entries()) {
      await ask({ name });
      const trace = await Trace.attach(child.pid ?? 0, place(`${number}.strace`));
      await ask({});
      const calls = parseCalls(await trace.end());
      waits[name] = calls.filter(({ name: call }) => /^f(data)?sync$/.test(call)).length;
      commits[name] = table[name]?.commits;
    }
    expect(waits).to.deep.equal({ ...commits, ...withoutWrites });
  });
});
