import { expect } from 'chai';
import type { Violation } from '../../violations.ts';
import type { Draft } from '../world.ts';
import { judgeReceivers } from './all.ts';
import type { ReceiversEvidence } from './evidence.ts';
import { findTakeovers } from './takeovers.ts';
import { goodReceivers } from './world.ts';

type World = Draft<ReceiversEvidence>;

const named = ({ endpoints }: World, name: string) => {
  const found = endpoints.find((endpoint) => endpoint.name === name);
  return found ?? expect.fail(name);
};

const wrongs: [title: string, kind: Violation['kind'], change: (world: World) => void, sign: RegExp][] = [
  [
    'an event that was read twice',
    'reader',
    ({ read }) => read.push({ sequence: 4, id: 'id-4' }),
    /event 4 was read twice/,
  ],
  ['an event that was not read', 'reader', ({ read }) => read.splice(1, 1), /event 2, id-2, was not read/],
  [
    'an event that was read too late',
    'reader',
    ({ read }) => read.splice(1, 2, ...read.slice(1, 3).reverse()),
    /event 2 was read after 3/,
  ],
  [
    'an event that was read with another id',
    'reader',
    ({ read }) => read.splice(3, 1, { sequence: 4, id: 'id-9' }),
    /event 4 was read as id-9/,
  ],
  [
    'a response that no reader may get',
    'reader',
    ({ problems }) => problems.push('410 EVENTS_FORGOTTEN'),
    /the reader got 410/,
  ],
  [
    'a last event with another value',
    'lastEvents',
    ({ lastEvents }) => Object.assign(lastEvents[0]?.resource, { status: 'refunded' }),
    /event 3, order.paid of order-1: .*"paid".* is now .*"refunded"/,
  ],
  [
    'an event of a version that does not exist',
    'lastEvents',
    ({ lastEvents }) => Object.assign(lastEvents[0]?.resource, { version: 2 }),
    /it has version 2, and the event 3/,
  ],
  [
    'a last version that no event tells, of what is wholly told',
    'lastEvents',
    ({ lastEvents }) => {
      Object.assign(lastEvents[0]?.event.subject ?? {}, { type: 'dispute' });
      Object.assign(lastEvents[0]?.resource, { version: 4 });
    },
    /it has version 4, which no event tells/,
  ],
  [
    'an event of a resource that does not exist',
    'lastEvents',
    ({ lastEvents }) => Object.assign(lastEvents[0] ?? {}, { resource: undefined }),
    /it does not exist/,
  ],
  [
    'a deletion of a resource that exists',
    'lastEvents',
    ({ lastEvents }) => Object.assign(lastEvents[0]?.event ?? {}, { type: 'order.deleted' }),
    /it still exists/,
  ],
  [
    'an event that was not enqueued',
    'deliveries',
    (world) => named(world, 'slow').deliveries.shift(),
    /slow: event 2 was not enqueued/,
  ],
  [
    'an event that was enqueued twice',
    'deliveries',
    (world) => named(world, 'slow').deliveries.push({ eventId: 'id-3', status: 'succeeded' }),
    /slow: event 3 was enqueued 2 times/,
  ],
  [
    'an event that was enqueued for an endpoint that it does not match',
    'deliveries',
    (world) => named(world, 'slow').deliveries.push({ eventId: 'id-1', status: 'pending' }),
    /slow: event id-1 was enqueued, which it should not/,
  ],
  [
    'a success that was not received',
    'deliveries',
    (world) => named(world, 'slow').receipts.pop(),
    /slow: event 3 has succeeded and was not received/,
  ],
  [
    'a success that was rejected',
    'deliveries',
    (world) => Object.assign(named(world, 'slow').receipts[0] ?? {}, { status: 503 }),
    /slow: event 3 has succeeded and was not received/,
  ],
  [
    'a delivery that was given up',
    'deliveries',
    (world) => Object.assign(named(world, 'slow').deliveries[0] ?? {}, { status: 'failed' }),
    /slow: event 2 is failed/,
  ],
  [
    'a delivery that is pending though its receiver works',
    'deliveries',
    (world) => Object.assign(named(world, 'well').deliveries[0] ?? {}, { status: 'pending' }),
    /well: event 2 is pending/,
  ],
  [
    'a retry with a new id',
    'deliveries',
    (world) => Object.assign(named(world, 'well').receipts[3] ?? {}, { id: 'id-33' }),
    /well got id-33 with event id-3/,
  ],
  [
    'an event that another endpoint should have got',
    'deliveries',
    (world) => named(world, 'well').types.pop(),
    /well got id-4/,
  ],
  [
    'an event that a sequential endpoint has skipped',
    'ordering',
    (world) => {
      const sequential = named(world, 'sequential');
      sequential.receipts = sequential.receipts.filter(({ sequence }) => sequence !== 3);
    },
    /sequential acknowledged 4 where 3 comes next/,
  ],
  [
    'an event that a sequential endpoint got before the one that failed',
    'ordering',
    (world) => Object.assign(named(world, 'sequential').receipts[1] ?? {}, { status: 503 }),
    /sequential acknowledged 3 where 2 comes next/,
  ],
  [
    'a signature that does not verify',
    'signatures',
    (world) => Object.assign(named(world, 'slow').receipts[0] ?? {}, { problem: 'No matching signature' }),
    /slow got id-3: No matching signature/,
  ],
  [
    'a takeover that was late',
    'takeovers',
    ({ attempts }) => attempts.splice(2, 1, 50_001),
    /server-1-1 was killed, and the next attempt was made after 20001 ms/,
  ],
  [
    'a takeover that never came',
    'takeovers',
    ({ attempts }) => attempts.pop(),
    /no process has delivered for 70000 ms/,
  ],
  [
    'a late takeover by the only server, whose lease has no name',
    'takeovers',
    (world) => {
      world.lives = [
        { process: 'server-1-1', from: 0, servingFrom: 0, to: 30_000 },
        { process: 'server-1-2', from: 30_100, servingFrom: 31_000 },
      ];
      world.acquisitions = [
        { process: null, at: 1_000 },
        { process: null, at: 51_000 },
      ];
      world.attempts = [51_001];
    },
    /server-1-1 was killed, and the next attempt was made after 20001 ms/,
  ],
  [
    'an endpoint that lags',
    'lag',
    (world) => Object.assign(named(world, 'well'), { lagMs: undefined }),
    /well lags 60 s after the last kill/,
  ],
  [
    'an endpoint that is not at the end of the feed',
    'lag',
    (world) => Object.assign(named(world, 'well'), { position: 3 }),
    /well is at 3 of 4/,
  ],
  [
    'a secret of an endpoint',
    'endpointSecrets',
    ({ leaks }) => leaks.push('log of server-1: whsec_x'),
    /log of server-1/,
  ],
];

describe('The judge of those who follow events', () => {
  it('finds nothing wrong where everybody got what they must', () => {
    expect(judgeReceivers(goodReceivers())).to.deep.equal([]);
  });

  for (const [title, kind, change, sign] of wrongs) {
    it(`finds ${title}`, () => {
      const world = goodReceivers();
      change(world);
      const found = judgeReceivers(world);
      const details = found.map((violation) => `${violation.kind}: ${violation.detail}`);
      expect(
        found.some((violation) => violation.kind === kind && sign.test(violation.detail)),
        details.join(),
      ).to.equal(true);
    });
  }

  it('measures from a kill to the next attempt, or to the end of the process that had taken over', () => {
    const world = goodReceivers();
    expect(findTakeovers(world).map(({ afterMs }) => afterMs)).to.deep.equal([12_000]);
    Object.assign(world.lives[1] ?? {}, { to: 41_500 });
    expect(findTakeovers(world).map(({ afterMs }) => afterMs)).to.deep.equal([11_500, 0]);
    // While no server serves, none can take over.
    Object.assign(world.lives[1] ?? {}, { servingFrom: 40_000 });
    expect(findTakeovers(world).map(({ afterMs }) => afterMs)).to.deep.equal([1_500, 0]);
    // A server that had lost its lease before it was killed was not the one that delivers.
    Object.assign(world.acquisitions[1] ?? {}, { at: 20_000 });
    expect(findTakeovers(world).map(({ process }) => process)).to.deep.equal(['server-2-1']);
  });
});
