import 'reflect-metadata';
import { expect } from 'chai';
import { Container, type ServiceIdentifier } from 'inversify';
import { shutdown } from '#bootstrap/composition/shutdown.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

type PartName = Exclude<keyof typeof tokens, 'draining'>;

/** How long each part may take to close, in milliseconds. */
const timeoutsMs = {
  apiListener: 6_100,
  pagesListener: 6_100,
  providerEventsListener: 6_100,
  backgroundWorker: 6_100,
  webhookWorker: 3_000,
  opsListener: 400,
  rateLimiter: 300,
  clock: 300,
  eventNumbering: 500,
  store: 1_200,
  certificate: 200,
};

/** How long everything that is left may take at the end: what has not closed in time is closed once more. */
const restMs = 200;

describe('A shutdown', () => {
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  /** Closes a container of which these parts never close. @returns how long that took, in milliseconds */
  const timeOf = async (stuck: readonly PartName[], drain?: number): Promise<number> => {
    const container = new Container({ defaultScope: 'Singleton' });
    container.bind(tokens.draining).toConstantValue(new AbortController());
    for (const [name, token] of Object.entries(tokens)) {
      if (name === 'draining') continue;
      container
        .bind(token as ServiceIdentifier<object>)
        .toResolvedValue(() => ({}), [])
        .onDeactivation(() => (stuck.some((one) => one === name) ? new Promise(() => undefined) : undefined));
      await container.getAsync(token as ServiceIdentifier<object>);
    }
    const begun = time.now;
    await time.settle(shutdown(container, drain), 60_000, 10);
    return time.now - begun;
  };

  it('goes on when a part does not close within its own time', async () => {
    for (const [name, timeoutMs] of Object.entries(timeoutsMs)) {
      expect(await timeOf([name as PartName]), name).to.be.closeTo(timeoutMs + restMs, 30);
    }
  });

  it('waits at its end for the other parts, such as the log, together', async () => {
    expect(await timeOf(['log', 'metrics', 'application'])).to.be.closeTo(restMs, 30);
  });

  it('waits for no part that closes at once', async () => {
    expect(await timeOf([])).to.be.most(20);
  });

  it('ends 8.4 seconds after its drain at the latest, though no part closes', async () => {
    const all = Object.keys(tokens).filter((name): name is PartName => name !== 'draining');
    for (const drain of [0, readConfig({}).times.drain]) {
      expect(await timeOf(all, drain)).to.be.closeTo(drain + 8_400, 60);
    }
  });
});
