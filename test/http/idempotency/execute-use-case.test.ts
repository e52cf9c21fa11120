import { expect } from 'chai';
import type { ApiResponse } from '#adapters/http/request/context.ts';
import { executeUseCase } from '#adapters/http/routing/execute-use-case.ts';
import { command } from '#application/use-case.ts';
import { aWorld, type World } from '../../application/world.ts';

describe('A use case executed with an idempotency key', () => {
  let world: World;
  let presented: unknown[];
  beforeEach(async () => {
    world = await aWorld();
    presented = [];
  });

  const carriedOut = (result: unknown): Promise<ApiResponse> => {
    const useCase = command('orders:write', [], () => async () => result);
    const attempt = {
      userId: world.ada.userId,
      key: 'a-key',
      role: 'customer',
      fingerprint: 'the same',
    } as const;
    return executeUseCase(world, useCase, {
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
    it(`is rendered once, and its stored response equals the response: ${JSON.stringify(result)}`, async () => {
      const first = await carriedOut(result);
      const again = await carriedOut('something else');
      expect(presented).to.deep.equal([result]);
      expect(again).to.deep.include({ status: 201, body: first.body });
    });
  }
});
