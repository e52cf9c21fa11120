import { expect } from 'chai';
import { startFlags } from '../start-flags.ts';
import { startServer } from './server.ts';

describe('A server as npm start has it', function () {
  this.timeout(60_000);

  it('makes everything where V8 cleans up first: V8 guesses nowhere what will live long', async () => {
    const { program, client } = await startServer({ DATABASE_URL: 'memory:' }, [
      ...startFlags,
      // It tells of each guess, of which a start alone has some.
      '--trace-pretenuring-statistics',
    ]);
    const guesses = (): number => program.output.split('pretenuring').length;
    const ofStart = guesses();
    for (let request = 0; request < 2_000; request += 1) {
      expect((await client.get('/v1/products')).status).to.equal(200);
    }
    await program.kill();
    expect(ofStart).to.be.greaterThan(1);
    expect(guesses()).to.equal(ofStart);
  });
});
