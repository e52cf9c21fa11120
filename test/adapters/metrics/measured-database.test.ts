import { expect } from 'chai';
import { Registry } from 'prom-client';
import { measuredDatabase } from '#adapters/metrics/measured-database.ts';
import { Metrics } from '../../support/metrics.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('A scrape while the database does not respond', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('waits a quarter of a second, says so, and asks the database once however often it is repeated', async () => {
    const registry = new Registry();
    const silence = Promise.withResolvers<[]>();
    let asked = 0;
    const refresh = measuredDatabase(registry)({
      connections: undefined,
      pendingProcesses: () => {
        asked += 1;
        return silence.promise;
      },
    });
    const begun = time.now;
    await time.settle(Promise.all([refresh(), refresh(), refresh()]), 2_000);
    expect(time.now - begun).to.be.within(250, 260);
    expect(asked).to.equal(1);
    const isUp = async () => new Metrics(await registry.metrics()).value('portico_database_up');
    expect(await isUp()).to.equal(0);
    silence.resolve([]);
    await refresh();
    expect(await isUp()).to.equal(1);
  });
});
