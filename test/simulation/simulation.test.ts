import { expect } from 'chai';
import { faults, storyOf } from './faults/faults.ts';
import { recordedSeeds } from './faults/recorded-seeds.ts';
import { searchFromRecorded } from './faults/search.ts';
import { feedFaults } from './feed/feed-faults.ts';
import { type Played, play } from './play.ts';
import { Simulation } from './simulation.ts';

/** Up to the first in which another amount is captured in the dashboard, which is rare. */
const stories = 414;

describe('The simulation', () => {
  /** What happened in the story of each seed. */
  const traces = new Map<number, readonly string[]>();
  let played: Played;

  const traced = (seed: number): Simulation => {
    const trace: string[] = [];
    traces.set(seed, trace);
    return new Simulation(seed, { trace });
  };

  before(async () => {
    played = await play({ first: 1, count: stories }, {}, traced);
  });

  it('finds that every operation happened once, and every client got its outcome', () => {
    const { seeds, steps, failures } = played;
    expect(failures).to.deep.equal([]);
    expect(seeds).to.equal(stories);
    expect(steps).to.be.greaterThan(stories * 100);
  });

  it('accepts a response that was under way while its capture was settled by hand', async () => {
    // Found among thirty thousand stories.
    const { failures } = await play({ first: 12_444, count: 1 });
    expect(failures).to.deep.equal([]);
  });

  it('finds that a payment is asked about once a second while reconciliation in another server ends', async () => {
    // Found among thirty thousand stories.
    const { failures } = await play({ first: 18_201, count: 1 });
    expect(failures).to.deep.equal([]);
  });

  it('accepts an erasure whose response was lost until its key had expired', async () => {
    // Found among thirty thousand stories.
    const { failures } = await play({ first: 20_017, count: 1 });
    expect(failures).to.deep.equal([]);
  });

  it('is deterministic for a seed, alone as among others, and differs between seeds', async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const trace: string[] = [];
      await play({ first: seed, count: 1 }, { trace });
      expect(trace).to.have.length.greaterThan(20);
      expect(trace).to.deep.equal(traces.get(seed));
      expect(trace).not.to.deep.equal(traces.get(seed + 1));
    }
  });

  it('fails in the same way alone as among others', async () => {
    const { planted } = faults['a random key at the provider'] ?? expect.fail('It is one of the faults.');
    const { failures } = await play({ first: 1, count: 100 }, { planted });
    const [failure] = failures;
    const alone = await play({ first: failure?.seed ?? 0, count: 1 }, { planted });
    expect(alone.failures).to.deep.equal([failure]);
  });

  /** What happened in the first of the stories, as far as it matches. */
  const happenings = (pattern: RegExp, count: number): readonly string[] => {
    const happened = new Set<string>();
    for (const [seed, trace] of traces) {
      for (const line of seed <= count ? trace : []) {
        const [what] = pattern.exec(line) ?? [];
        if (what !== undefined) happened.add(what);
      }
    }
    return [...happened];
  };

  it('crashes, stalls and restarts servers, and has a provider that fails and responds late', () => {
    const happened = happenings(/CRASHES|after a stall|sends \w[\w ]* \([\w ]+\)|starts/, 200);
    const fates = ['answered', 'lost', 'failed', 'executed and failed', 'unanswered', 'late'];
    const calls = ['charge', 'close charge', 'refund', 'find charge', 'retrieve charge', 'list events'];
    for (const call of calls) {
      for (const fate of fates) expect(happened).to.include(`sends ${call} (${fate})`);
    }
    for (const call of ['cancel', 'capture'])
      expect(happened).to.include.members([`sends ${call} (answered)`, `sends ${call} (late)`]);
    expect(happened).to.include.members(['CRASHES', 'after a stall', 'starts']);
  });

  it('has payers, banks and events that come when they like, or never', () => {
    const happened = happenings(
      /(?:a payer|a bank|a refund|a dispute is) [\w ]+(?=:)|refunds (?:by itself|another \w+)|captures (?:by itself|another \w+)|cancels by itself|an event comes \w+|an event is forged|takes another amount|and what to do|lets all orders be sent/,
      stories,
    );
    expect(happened).to.include.members([
      ...['a payer consents', 'a payer declines', 'and what to do', 'a bank agrees', 'a bank declines'],
      ...[
        'a refund ends later',
        'a refund is rejected later',
        'a refund fails late',
        'refunds by itself',
        'captures by itself',
        'cancels by itself',
        ...['refunds another amount', 'refunds another charge'],
        ...['captures another amount', 'captures another charge'],
      ],
      ...[
        'a dispute is warning',
        'a dispute is needs_response',
        'a dispute is escalated',
        'a dispute is lost',
      ],
      ...['an event comes twice', 'an event comes never', 'an event comes late', 'an event comes reversed'],
      ...['an event is forged', 'takes another amount', 'lets all orders be sent'],
    ]);
  });

  it('has a recorded seed for every fault, and for nothing else', () => {
    expect(Object.keys(recordedSeeds)).to.have.members([...Object.keys(faults), ...Object.keys(feedFaults)]);
  });

  describe('notices', () => {
    for (const [name, fault] of Object.entries(faults)) {
      it(name, async () => {
        expect(await searchFromRecorded(name, storyOf(fault))).to.have.property('problem');
      });
    }
  });
});
