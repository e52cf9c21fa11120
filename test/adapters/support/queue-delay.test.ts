import { expect } from 'chai';
import { estimateQueueDelay } from '#adapters/support/queue-delay.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('The estimated delay of a queue', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('is the queue length times the service time, and grows while no request is served', () => {
    const queue = { waiting: 0, served: 0 };
    const delay = estimateQueueDelay(() => queue);
    expect(delay()).to.equal(0);
    queue.waiting = 20;
    delay();
    time.work(200);
    expect(delay()).to.equal(200);
    time.work(200);
    expect(delay()).to.equal(400);
    Object.assign(queue, { waiting: 0, served: 20 });
    expect(delay()).to.equal(0);
    queue.waiting = 10;
    expect(delay()).to.equal(200);
  });

  it('is not longer when all are served together', () => {
    const queue = { waiting: 64, served: 0 };
    const delay = estimateQueueDelay(() => queue);
    delay();
    time.work(50);
    expect(delay()).to.equal(50);
    Object.assign(queue, { waiting: 64, served: 64 });
    expect(delay()).to.equal(50);
  });

  it('does not count a time without requests', () => {
    const queue = { waiting: 10, served: 0 };
    const delay = estimateQueueDelay(() => queue);
    delay();
    time.work(300);
    Object.assign(queue, { waiting: 10, served: 10 });
    expect(delay()).to.equal(0);
  });
});
