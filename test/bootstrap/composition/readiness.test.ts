import { expect } from 'chai';
import { readiness } from '#bootstrap/composition/listeners/readiness.ts';
import { ofEachTest } from '#test/support/of-each-test.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

describe('A database that does not respond', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('is waited for 1.5 seconds, with one query for all concurrent checks', async () => {
    let asked = 0;
    const never = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    const obstacle = readiness(
      { schema: never },
      () => false,
      () => undefined,
    );
    const begun = time.now;
    const said = await time.settle(Promise.all(Array.from({ length: 20 }, obstacle)), 10_000, 10);
    expect(time.now - begun).to.be.closeTo(1_500, 30);
    expect(new Set(said)).to.deep.equal(new Set(['the database does not respond']));
    expect(asked).to.equal(1);
  });
});

describe('A database that cannot be reached', () => {
  it('makes the service not ready, and its error is reported', async () => {
    const error = new Error('Connection refused.');
    const reported: unknown[] = [];
    const obstacle = readiness(
      { schema: () => Promise.reject(error) },
      () => false,
      (reason) => reported.push(reason),
    );
    expect(await obstacle()).to.equal('the database does not respond');
    expect(reported).to.deep.equal([error]);
  });
});
