import { expect } from 'chai';
import type { ParsedRequest } from '#adapters/http/routing/responders.ts';
import { eventRoutes } from '#adapters/http/v1/events.ts';
import type { RequestContext, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import type { EventId } from '#domain/event-id.ts';

describe('Who has read an event', () => {
  /** @returns the contexts in which the store was read */
  const contextsOf = async (target: string, request: object): Promise<readonly RequestContext[]> => {
    const shop = await testShop();
    await shop.newProduct();
    const id = (await shop.unitOfWork.read(({ events }) => events.page({}, { after: 0, limit: 1 }))).rows[0]
      ?.id as EventId;
    const contexts: RequestContext[] = [];
    const unitOfWork: UnitOfWork = {
      run: shop.unitOfWork.run,
      read: (reading, context) => {
        if (context !== undefined) contexts.push(context);
        return shop.unitOfWork.read(reading, context);
      },
    };
    const found = eventRoutes(shop.useCases).find(({ method, path }) => `${method} ${path}` === target);
    const given = {
      ...{ requestPath: '/v1/events' },
      ...{ caller: shop.staff, context: { actor: shop.staff.userId, readsLatest: true } },
      ...{ path: { id }, filter: {}, page: { limit: 5 }, ...request },
    };
    await found?.execute(
      { unitOfWork, idempotency: shop.idempotency },
      given as unknown as ParsedRequest,
      undefined,
    );
    return contexts;
  };

  it('reads what it names at least as new, also where reads may lag', async () => {
    for (const target of ['GET /events', 'GET /events/{id}']) {
      const contexts = await contextsOf(target, {});
      expect(contexts.at(-1)).to.include({ readsLatest: true, pinsReads: true });
      expect(contexts[0]?.pinsReads).to.equal(undefined);
    }
  });

  it('is told apart from who has got an empty page, which costs nothing more', async () => {
    const contexts = await contextsOf('GET /events', { from: 'latest' });
    expect(contexts).to.have.length(1);
  });
});
