import { expect } from 'chai';
import type { Program } from '../../bootstrap/support/program.ts';
import { startServer } from '../../bootstrap/support/server.ts';
import { expectProblem } from '../support/protocol.ts';
import { requestText, Wire } from '../support/wire.ts';

/** `timeouts.test.ts` tests how long each may take. */
describe('A whole program whose client sends too slowly (slowloris)', function () {
  this.timeout(60_000);
  let program: Program;
  afterEach(() => program.kill());

  it('rejects headers that do not end with 408, and serves others meanwhile', async () => {
    const started = await startServer({ DATABASE_URL: 'memory:' });
    program = started.program;
    const wire = await Wire.open(started.client.base);
    const answer = wire.write(requestText('GET /v1/products').slice(0, -2)).answer();
    expect((await started.client.get('/v1/products')).status).to.equal(200);
    expectProblem(await answer, '408 BAD_REQUEST');
    await wire.closed();
  });
});
