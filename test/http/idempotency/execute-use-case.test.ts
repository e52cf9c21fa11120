import { expect } from 'chai';
import type { ApiResponse } from '#adapters/http/request/context.ts';
import { type Dependencies, executeUseCase } from '#adapters/http/routing/execute-use-case.ts';
import { ConcurrencyConflict } from '#application/errors.ts';
import { idempotency } from '#application/idempotency/idempotency.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { command } from '#application/use-case.ts';
import { times } from '../../application/fixture.ts';
import { aWorld } from '../../application/world.ts';
import { ofEachTest } from '../../support/of-each-test.ts';

describe('A use case executed with an idempotency key', () => {
  const world = ofEachTest(aWorld);
  let presented: unknown[];
  beforeEach(() => {
    presented = [];
  });

  const carriedOut = (work: () => unknown, dependencies: Dependencies = world): Promise<ApiResponse> => {
    const useCase = command('orders:write', [], () => async () => work());
    const attempt = {
      userId: world.ada.userId,
      key: 'a-key',
      role: 'customer',
      fingerprint: 'the same',
    } as const;
    return executeUseCase(dependencies, useCase, {
      caller: world.ada,
      input: undefined,
      respond: (shown) => {
        presented.push(shown);
        return { status: 201, headers: {}, body: JSON.stringify({ shown }) };
      },
      idempotentRequest: { ...attempt, requestId: 'mine' },
      context: { actor: world.ada.userId },
    });
  };

  for (const result of [{ name: 'Tea' }, undefined]) {
    it(`is rendered once, and its stored response equals the response (${JSON.stringify(result)})`, async () => {
      const first = await carriedOut(() => result);
      const again = await carriedOut(() => 'something else');
      expect(presented).to.deep.equal([result]);
      expect(again).to.deep.include({ status: 201, body: first.body });
    });
  }

  it('is sent and stored as its second run renders it, when the first run was rolled back', async () => {
    let runs = 0;
    const unitOfWork: UnitOfWork = {
      read: world.unitOfWork.read,
      run: (work, context) =>
        world.unitOfWork.run(async (repositories) => {
          const result = await work(repositories);
          runs += 1;
          if (runs === 1) throw new ConcurrencyConflict('Another request was first.');
          return result;
        }, context),
    };
    const { clock, newId } = world;
    const retried = idempotency({ unitOfWork, clock, newId, leaseMs: times.lease });
    const first = await carriedOut(() => ({ stock: 10 - runs }), { unitOfWork, idempotency: retried });
    const again = await carriedOut(() => 'something else');
    expect([first.body, again.body]).to.deep.equal(Array(2).fill('{"shown":{"stock":9}}'));
    expect(presented).to.deep.equal([{ stock: 10 }, { stock: 9 }]);
  });
});
