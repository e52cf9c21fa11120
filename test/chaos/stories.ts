import type { Line } from '../lab/clients/requests.ts';
import { createdSubject } from '../lab/clients/response.ts';
import { erasing } from './erasing/story.ts';
import { capturings } from './live/capturing.ts';
import { livePayings } from './live/paying.ts';
import { whenPaymentIs } from './live/reading.ts';
import { payings } from './paying.ts';
import { refundings } from './refunding.ts';
import type { Visit } from './visit.ts';

/** What a client does in the shop, from the first request to the last. @throws NoFinalResponseError */
export const runVisit = (visit: Visit): Promise<void> =>
  stories[visit.random.weighted({ purchase: 93, rush: 4, erasing: 3 })](visit);

const purchase = async (visit: Visit): Promise<void> => {
  const { random } = visit;
  if (random.chance(0.15)) await changeStock(visit);
  const order = createdSubject(await visit.send(visit.order(...basket(visit))));
  if (order === undefined) return;
  for (let items = random.weighted({ 0: 6, 1: 3, 2: 1 }); items !== '0'; items = items === '2' ? '1' : '0') {
    await visit.send(visit.addItem(order, visit.line()));
  }
  const paying = random.weighted({
    once: 30,
    twiceAtOnce: 10,
    rivals: 10,
    badCardFirst: 10,
    leaves: 10,
    cancels: 6,
    cancelsMeanwhile: 7,
    inCash: 6,
    cashAndCard: 6,
    asked: 22,
    askedTwiceAtOnce: 6,
    askedInVain: 5,
    cancelsConsent: 20,
    capturedInFull: 6,
    capturedInPart: 8,
    capturedByRivals: 12,
    capturedMeanwhile: 8,
    authorizedAndCanceled: 3,
    authorizedAndLeft: 4,
  });
  const begun = await allPayings[paying](visit, order);
  const payment = begun && (await whenPaymentIs(visit, begun, ['succeeded']));
  if (payment === undefined) return;
  if (random.chance(0.2))
    await visit.send(visit.change(order, visit.shop.staff, 'fulfilled', '409 INVALID_STATE'));
  if (random.chance(0.5)) await refundings[random.pick(refundingNames)](visit, payment);
};

const allPayings = { ...payings, ...livePayings, ...capturings };

const refundingNames = Object.keys(refundings) as (keyof typeof refundings)[];

/** More buyers than there is of something. */
const rush = async (visit: Visit): Promise<void> => {
  const { random } = visit;
  const rarity = createdSubject(await visit.send(visit.newProduct(random.between(1, 3))));
  if (rarity === undefined) return;
  const buyers = Array.from({ length: 6 }, () => {
    const last: Line = [rarity.id, 1];
    return visit.send(random.chance(0.3) ? visit.order(visit.line(), last) : visit.order(last));
  });
  const orders = (await Promise.all(buyers)).map(createdSubject).filter((order) => order !== undefined);
  for (const order of orders)
    await payings[random.pick(['once', 'cancels', 'leaves'] as const)](visit, order);
};

const changeStock = async (visit: Visit): Promise<void> => {
  const { random, shop } = visit;
  const { id } = random.pick(shop.products.filter(({ stock }) => stock !== null));
  await visit.send(visit.changeStock(id, random.pick([12, 0.5, -1, -2.125])));
};

/** Mostly one item. */
const basket = (visit: Visit): readonly Line[] =>
  Array.from({ length: visit.random.pick([1, 1, 1, 2, 3, 5]) }, () => visit.line());

const stories = { purchase, rush, erasing };
