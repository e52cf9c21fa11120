import { expect } from 'chai';
import { startServer } from '../bootstrap/support/server.ts';
import { closedLoad } from '../load/load.ts';
import { requestBytes } from '../load/request.ts';
import { Tally } from '../load/tally.ts';
import { startFlags } from '../support/start-flags.ts';

const key = 'the-key-of-an-operator-that-is-long-enough';
const requests = 50_000;

/** Serves lists under load. @returns how many allocation sites V8 decided to pretenure, that is, to allocate as old */
const pretenuredSites = async (flags: readonly string[]): Promise<number> => {
  const { program } = await startServer({ DATABASE_URL: 'memory:', ADMIN_API_KEY: key }, [
    ...flags,
    '--trace-pretenuring-statistics',
  ]);
  const [, port] = /^Portico serves \S+:(\d+)\//m.exec(program.output) ?? [];
  const request = requestBytes('GET', '/v1/products', { Authorization: `Bearer ${key}` });
  const tally = new Tally();
  await closedLoad({
    port: Number(port),
    connections: 8,
    tally,
    next: () => request,
    shouldContinue: (sent) => sent < requests,
  });
  await program.kill();
  expect(tally.count((status) => status === 200)).to.equal(requests);
  return program.output.split('pretenuring: AllocationSite').length - 1;
};

describe('A server started with the flags of npm start', function () {
  this.timeout(120_000);

  it('allocates nothing as old: V8 pretenures no allocation site, as it does without the flag', async () => {
    expect(await pretenuredSites(startFlags)).to.equal(0);
    const withPretenuring = startFlags.filter((flag) => flag !== '--no-allocation-site-pretenuring');
    expect(withPretenuring).to.have.length(startFlags.length - 1);
    expect(await pretenuredSites(withPretenuring)).to.be.greaterThan(0);
  });
});
