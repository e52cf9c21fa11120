import type { Subject } from '../../lab/clients/response.ts';
import { sendRequest } from '../../lab/clients/send-request.ts';
import type { Visit } from '../visit.ts';
import type { Person } from './person.ts';

/** Staff send what the person has paid, because an erasure waits for it. One that is being refunded is left for later. */
export const fulfillPaid = async (theirs: Visit, person: Person): Promise<void> => {
  for (const order of await paidOrders(theirs, person))
    await theirs.send(theirs.change(order, theirs.shop.staff, 'fulfilled', '409 INVALID_STATE'));
};

/** @returns none when the server does not respond */
const paidOrders = async ({ fleet, random, shop }: Visit, { id }: Person): Promise<readonly Subject[]> => {
  const server = fleet.any(random);
  server.requestSent();
  const path = `/v1/orders?user_id=${id}&status=paid`;
  const received = await sendRequest(
    server,
    { method: 'GET', path, token: shop.staff, body: '' },
    { keepAlive: random.chance(0.7), cutAfter: undefined },
  );
  if (typeof received === 'string' || received.status !== 200) return [];
  const { data }: { readonly data: readonly { readonly id: string }[] } = JSON.parse(received.text);
  return data.map((order) => ({
    ...{ id: order.id, status: 'paid', amount: null, reference: null, itemCount: null },
  }));
};
