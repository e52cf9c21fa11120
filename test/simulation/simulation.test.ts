import { expect } from 'chai';
import { faults, notice } from './faults.ts';
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

  it('crashes, stalls and restarts servers, and has a provider that fails and responds late', async () => {
    const happened = new Set<string>();
    for (let seed = 1; seed <= 200; seed += 1) {
      for (const line of await schedule(seed)) {
        const [what] = /CRASHES|after a stall|sends \w[\w ]* \([\w ]+\)|starts/.exec(line) ?? [];
        if (what !== undefined) happened.add(what);
      }
    }
    const fates = ['answered', 'lost', 'failed', 'executed and failed', 'unanswered', 'late'];
    const calls = ['charge', 'close charge', 'reverse'];
    for (const call of calls) {
      for (const fate of fates) expect([...happened]).to.include(`sends ${call} (${fate})`);
    }
    expect([...happened]).to.include.members(['CRASHES', 'after a stall', 'starts']);
  });

  describe('notices', () => {
    for (const [name, fault] of Object.entries(faults)) {
      it(name, async () => {
        expect(await notice(fault)).to.have.property('problem');
      });
    }
  });
});
