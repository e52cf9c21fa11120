import { expect } from 'chai';
import { parseCalls, requireStrace, Trace } from '../chaos/calls/trace.ts';
import { Program } from '../lab/program.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { readTable } from './table.ts';

/** Half of the units of work of an erasure find nothing to change, and their commits have nothing to wait for. */
const withoutWrites = { 'the erasure of a user with a fulfilled and a pending order': 6 };

/** One client alone, so each commit has its own wait for the disk: with more, one wait serves several. */
describe('The waits for the disk on SQLite', () => {
  const place = temporaryFolder();
  let program: Program | undefined;
  let names: readonly string[];
  before(async function () {
    try {
      requireStrace();
    } catch {
      return this.skip();
    }
    const words = [`sqlite:${place('portico.db')}`];
    program = new Program('test/costs/program.ts', { hasChannel: true, words });
    const { operations } = (await program.exchange()) as { readonly operations: readonly string[] };
    names = operations;
  });
  after(() => program?.kill());

  it('are one for each commit that has written something', async () => {
    const table = await readTable('sqlite');
    const waits: Record<string, number> = {};
    const commits: Record<string, number | undefined> = {};
    for (const [number, name] of names.entries()) {
      await program?.exchange({ name });
      const trace = await Trace.attach(program?.id ?? 0, place(`${number}.strace`));
      await program?.exchange({});
      const calls = parseCalls(await trace.end());
      waits[name] = calls.filter(({ name: call }) => /^f(data)?sync$/.test(call)).length;
      commits[name] = table[name]?.commits;
    }
    expect(waits).to.deep.equal({ ...commits, ...withoutWrites });
  });
});
