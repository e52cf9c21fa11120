import { expect } from 'chai';
import { faults, notice } from './faults/faults.ts';
import { play } from './play.ts';

describe('The simulation', () => {
  const schedule = async (seed: number): Promise<readonly string[]> => {
    const trace: string[] = [];
    await play({ first: seed, count: 1 }, { trace });
    return trace;
  };

  it('finds that every operation happened once, and every client got its outcome', async () => {
    const { seeds, steps, failures } = await play({ first: 1, count: 300 });
    expect(failures).to.deep.equal([]);
    expect(seeds).to.equal(300);
    expect(steps).to.be.greaterThan(300 * 100);
  });

  it('is deterministic for a seed, and differs between seeds', async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const first = await schedule(seed);
      expect(first).to.have.length.greaterThan(20);
      expect(await schedule(seed)).to.deep.equal(first);
      expect(await schedule(seed + 1)).not.to.deep.equal(first);
    }
  });

  it('plays the same story alone as among others', async () => {
    const { planted } = faults['a random key at the provider'] ?? expect.fail('It is one of the faults.');
    const { failures } = await play({ first: 1, count: 100 }, { planted });
    const [failure] = failures;
    const alone = await play({ first: failure?.seed ?? 0, count: 1 }, { planted });
    expect(alone.failures).to.deep.equal([failure]);
  });

  /** What happens in some of the stories, as far as it matches. */
  const happenings = async (pattern: RegExp, stories = 200): Promise<readonly string[]> => {
    const happened = new Set<string>();
    for (let seed = 1; seed <= stories; seed += 1) {
      for (const line of await schedule(seed)) {
        const [what] = pattern.exec(line) ?? [];
        if (what !== undefined) happened.add(what);
      }
    }
    return [...happened];
  };

  it('crashes, stalls and restarts servers, and has a provider that fails and responds late', async () => {
    const happened = await happenings(/CRASHES|after a stall|sends \w[\w ]* \([\w ]+\)|starts/);
    const fates = ['answered', 'lost', 'failed', 'executed and failed', 'unanswered', 'late'];
    const calls = ['charge', 'close charge', 'reverse', 'find', 'inspect', 'list events'];
    for (const call of calls) {
      for (const fate of fates) expect(happened).to.include(`sends ${call} (${fate})`);
    }
    for (const call of ['cancel', 'capture'])
      expect(happened).to.include.members([`sends ${call} (answered)`, `sends ${call} (late)`]);
    expect(happened).to.include.members(['CRASHES', 'after a stall', 'starts']);
  });

  it('has payers, banks and events that come when they like, or never', async () => {
    const happened = await happenings(
      /(?:a payer|a bank|a refund|a dispute is) [\w ]+(?=:)|refunds (?:by itself|another \w+)|captures (?:by itself|another \w+)|cancels by itself|an event comes \w+|an event is forged|takes another amount|and what to do/,
      // A wrong amount of a capture is rare.
      400,
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
      ...['an event is forged', 'takes another amount'],
    ]);
  });

  describe('notices', function () {
    // Some faults take some hundred stories.
    this.timeout(60_000);

    for (const [name, fault] of Object.entries(faults)) {
      it(name, async () => {
        expect(await notice(fault)).to.have.property('problem');
      });
    }
  });
});
