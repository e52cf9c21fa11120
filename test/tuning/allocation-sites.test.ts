import { expect } from 'chai';
import { startServer } from '../bootstrap/support/server.ts';
import { closedLoad } from '../load/load.ts';
import { requestBytes } from '../load/request.ts';
import { Tally } from '../load/tally.ts';
import { startFlags } from '../support/start-flags.ts';

const key = 'the-key-of-an-operator-that-is-long-enough';

describe('A server as npm start has it', function () {
  this.timeout(60_000);

  it('makes everything where V8 cleans up first: once it serves, V8 guesses nowhere what will live long', async () => {
    const { program } = await startServer({ DATABASE_URL: 'memory:', ADMIN_API_KEY: key }, [
      ...startFlags,
      // It tells of each guess, of which a start alone has some.
      '--trace-pretenuring-statistics',
    ]);
    const [, port] = /^Portico serves \S+:(\d+)\//m.exec(program.output) ?? [];
    const request = requestBytes('GET', '/v1/products', { Authorization: `Bearer ${key}` });
    const tally = new Tally();
    const asking = { port: Number(port), connections: 8, tally, next: () => request };
    const guesses = (): number => program.output.split('pretenuring: AllocationSite').length - 1;
    const ofStart = guesses();
    await closedLoad({ ...asking, shouldContinue: (sent) => sent < 50_000 });
    await program.kill();
    expect(tally.count((status) => status === 200)).to.equal(50_000);
    expect(ofStart).to.be.greaterThan(0);
    expect(guesses()).to.equal(ofStart);
  });
});
