import { expect } from 'chai';
import { Program } from '../../lab/program.ts';
import { Metrics } from '../../support/metrics.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../support/ports.ts';
import { serverSettings } from '../support/server-settings.ts';

describe('The metrics of a process', () => {
  it('report the delay of the event loop from the first scrape on', async () => {
    const opsUrl = `http://127.0.0.1:${await freePort()}`;
    const program = new Program('bootstrap/main.mjs', {
      environment: { ...serverSettings, DATABASE_URL: 'memory:', OPS_PORT: new URL(opsUrl).port },
    });
    const first = await until(
      () => Metrics.of(opsUrl).catch(() => undefined),
      (metrics) => metrics !== undefined,
      60_000,
    );
    // Before the first sample the histogram has a minimum of many years, and no mean.
    expect(first?.value('nodejs_eventloop_lag_min_seconds')).to.be.within(0.001, 3_600);
    expect(first?.value('nodejs_eventloop_lag_mean_seconds')).to.be.within(0.001, 3_600);
    await program.kill();
  });
});
