import { expect } from 'chai';
import { startFlags } from '../../support/start-flags.ts';
import { startTraced } from '../support/traced-server.ts';

describe('A server as npm start has it, under load', () => {
  it('allocates everything in the young generation: V8 pretenures nothing', async () => {
    const { program, decisions, send } = await startTraced(startFlags);
    await send(50_000);
    await program.kill();
    expect(decisions()).to.equal(0);
  });
});
