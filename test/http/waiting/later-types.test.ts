import { expect } from 'chai';
import { isIn } from '#adapters/http/v1/events.ts';
import type { EventType } from '#domain/event.ts';
import type { OrderId } from '#domain/order.ts';
import { newId } from '../../support/machine.ts';

describe('A reader that waits for events', () => {
  const orderId = newId<OrderId>();
  const sent = { type: 'gift.sent' as EventType, orderId };

  it('is woken by a type of a later release, unless it waits for other types or another order', () => {
    expect(isIn({})(sent)).to.equal(true);
    expect(isIn({ orderId })(sent)).to.equal(true);
    expect(isIn({ type: 'order.*' })(sent)).to.equal(false);
    expect(isIn({ orderId: newId<OrderId>() })(sent)).to.equal(false);
  });
});
