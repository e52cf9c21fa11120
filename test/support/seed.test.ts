import { expect } from 'chai';
import fc from 'fast-check';
import { repetition, testSeed } from './seed.ts';

describe('The seed of what tests draw', () => {
  const { TEST_SEED: given } = process.env;
  const setSeed = (seed: string | undefined): void => {
    Reflect.deleteProperty(process.env, 'TEST_SEED');
    if (seed !== undefined) Object.assign(process.env, { TEST_SEED: seed });
  };
  afterEach(() => setSeed(given));

  it('is the same in every run by default', () => {
    setSeed(undefined);
    expect(testSeed()).to.equal(52);
  });

  it('is the one that TEST_SEED sets', () => {
    setSeed('7');
    expect(testSeed()).to.equal(7);
    expect(repetition()).to.equal('Repeat this with TEST_SEED=7.');
  });

  it('is drawn once for a process with TEST_SEED=random', () => {
    setSeed('random');
    expect(testSeed()).to.equal(testSeed());
    setSeed(`${testSeed()}`);
    const seed = testSeed();
    setSeed('random');
    expect(testSeed()).to.equal(seed);
  });

  it('is rejected when it is no integer', () => {
    for (const wrong of ['', ' ', 'seven', '1.5']) {
      setSeed(wrong);
      expect(testSeed, wrong).to.throw(`TEST_SEED must be an integer or "random". It is "${wrong}".`);
    }
  });

  it('is that of fast-check and of Math.random in every test', () => {
    const drawn = () => fc.sample(fc.nat(), 5);
    expect(drawn()).to.deep.equal(drawn());
    expect(fc.readConfigureGlobal()).to.include({ seed: testSeed() });
  });

  const first: number[] = [];
  it('begins anew with each test, the one before', () => {
    first.push(Math.random());
  });
  it('begins anew with each test, and the one after', () => {
    expect(Math.random()).to.equal(first[0]);
  });
});
