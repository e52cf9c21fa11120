import { expect } from 'chai';
import { idempotency } from '#application/idempotency/idempotency.ts';
import type { RequestContext, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { newId } from '../support/machine.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { page } from './fixture.ts';
import { aWorld } from './world.ts';

/** A store can say of each change which request made it, and under which idempotency key. */
describe('The context of a unit of work', () => {
  const world = ofEachTest(aWorld);
  let seen: (RequestContext | undefined)[];
  let recording: UnitOfWork;
  beforeEach(() => {
    seen = [];
    recording = {
      run: (work, context) => {
        seen.push(context);
        return world.unitOfWork.run(work, context);
      },
      read: (reading, context) => world.unitOfWork.read(reading, context),
    };
  });

  const under = () => idempotency({ unitOfWork: recording, clock: world.clock, newId, leaseMs: 1000 });
  const request = () => ({ ...world.ada, key: 'k-1', fingerprint: 'f-1' });
  const context = () => ({ actor: world.ada.userId, requestId: 'r-1' });

  it('names the request and the key of a command', async () => {
    await under().command(
      request(),
      async () => 'done',
      () => 'done',
      context(),
    );
    expect(seen).to.deep.equal([{ ...context(), idempotencyKey: 'k-1' }]);
  });

  it('names them in both phases of a process, the second without a deadline', async () => {
    const order = await world.order(world.ada, await world.product());
    const phases = world.useCases.payments.pay(world.ada, { orderId: order.id, paymentMethod: 'tok' });
    const deadline = performance.now() + 60_000;
    await under().process(request(), phases, world.write, { ...context(), deadline });
    const named = { ...context(), idempotencyKey: 'k-1' };
    expect(seen).to.deep.equal([{ ...named, deadline }, named]);
  });

  it('names the key, and no request, where the reconciler ends what a request began', async () => {
    const order = await world.order(world.ada, await world.product());
    const phases = world.useCases.payments.pay(world.ada, { orderId: order.id, paymentMethod: 'tok' });
    const dying = { ...phases, call: () => Promise.reject(new Error('The process dies.')) };
    const { process, recover } = under();
    await process(request(), dying, world.write, context()).catch(() => undefined);
    const payment = async () =>
      (await world.read(world.useCases.payments.list, world.staff, { filter: {}, page })).rows[0];
    const record = await world.unitOfWork.read(({ idempotencyKeys }) =>
      idempotencyKeys.find(world.ada.userId, 'k-1'),
    );
    seen.length = 0;
    expect(await payment()).to.have.property('status', 'pending');
    await recover(record ?? expect.fail('There is none.'), phases);
    expect(seen).to.deep.equal([
      undefined,
      { actor: world.ada.userId, requestId: undefined, idempotencyKey: 'k-1' },
    ]);
    expect(await payment()).to.have.property('status', 'succeeded');
  });
});
