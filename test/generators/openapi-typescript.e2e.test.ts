import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { served } from '../http/support/described.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { typeErrors } from '../support/type-errors.ts';
import { documentedCommands, installations, run } from './documented-commands.ts';

/** What a program does with the types. It compiles only if they state what is null, and that an order has either of two bodies. */
const program = `
import type { paths } from './openapi-typescript.js';

type Same<A, B> = unknown extends A ? false : [A, B] extends [B, A] ? true : false;
type List = paths['/v1/products']['get']['responses'][200]['content']['application/json'];
export const isNullable: Same<List['data'][number]['description'], string | null> = true;

type NewOrder = paths['/v1/orders']['post']['requestBody']['content']['application/json'];
const line = { product_id: 'one', quantity: 2 };
export const orders: readonly NewOrder[] = [line, { items: [line, line] }];
// @ts-expect-error an order needs a product
export const incomplete: NewOrder = { quantity: 2 };
// @ts-expect-error a request has no other fields
export const unknown: NewOrder = { product_id: 'one', quantity: 2, gift: true };
`;

/** What a later release may send: a field, a status and a type of event that the types do not know. Known ones stay named. */
const later = `
import type { components, paths, webhooks } from './openapi-typescript.js';

type Order = components['schemas']['Order'];
type Event = paths['/v1/events']['get']['responses'][200]['content']['application/json']['data'][number];
type Sent = webhooks['event']['post']['requestBody']['content']['application/json'];

export const laterOrder = (order: Order): Order => {
  const later = { ...order, status: 'held', gift: true };
  return later;
};
export const laterEvent = (event: Event): Event & Sent => {
  const later = {
    ...{ ...event, type: 'gift.sent', subject: { ...event.subject, type: 'gift' } },
    ...{ data: { id: 'one', wrapped: true }, read_by: 'all' },
  };
  return later;
};
export const statusOf = (order: Order): number => {
  switch (order.status) {
    case 'paid':
      return 1;
    // @ts-expect-error fields that the document does not name are still an error
    default: return order.gift;
  }
};
`;

/** The least of the generators of docs/api.md. The others run by night. */
describe('The generator openapi-typescript', () => {
  const place = temporaryFolder();

  it('accepts the document as docs/api.md runs it, and emits strict types that a later release fits', async () => {
    const command = documentedCommands().find(({ generator }) => generator.startsWith('openapi-typescript@'));
    if (command === undefined) return expect.fail('docs/api.md does not name it.');
    writeFileSync(place('openapi.json'), JSON.stringify(served));
    await run(command, installations.byDay, place());
    writeFileSync(place('program.ts'), program);
    writeFileSync(place('later.ts'), later);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    expect(await typeErrors(place(), [...options, 'program.ts', 'later.ts'])).to.equal('');
    return undefined;
  });
});
