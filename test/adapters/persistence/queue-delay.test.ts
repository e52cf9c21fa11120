import { expect } from 'chai';
import { estimateQueueDelay } from '#adapters/persistence/sql/queue-delay.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('The wait in a queue', () => {
  let time: SimulatedTime;

  beforeEach(() => {
    time = new SimulatedTime();
  });

  afterEach(() => time.end());

  it('is how many wait, by how long each takes, and grows while nobody gets a turn', () => {
    const queue = { waiting: 0, served: 0 };
    const wait = estimateQueueDelay(() => queue);
    expect(wait()).to.equal(0);
    queue.waiting = 20;
    wait();
    time.work(200);
    expect(wait()).to.equal(200);
    time.work(200);
    expect(wait()).to.equal(400);
    Object.assign(queue, { waiting: 0, served: 20 });
    expect(wait()).to.equal(0);
    queue.waiting = 10;
    expect(wait()).to.equal(200);
  });

  it('is no longer where all are served at once', () => {
    const queue = { waiting: 64, served: 0 };
    const wait = estimateQueueDelay(() => queue);
    wait();
    time.work(50);
    expect(wait()).to.equal(50);
    Object.assign(queue, { waiting: 64, served: 64 });
    expect(wait()).to.equal(50);
  });

  it('is not longer for a time in which nobody came', () => {
    const queue = { waiting: 10, served: 0 };
    const wait = estimateQueueDelay(() => queue);
    wait();
    time.work(300);
    Object.assign(queue, { waiting: 10, served: 10 });
    expect(wait()).to.equal(0);
  });
});
