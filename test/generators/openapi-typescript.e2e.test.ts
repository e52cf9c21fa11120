import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { served } from '../http/support/described.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { typeErrors } from '../support/type-errors.ts';
import { documentedCommands, installations, run } from './documented-commands.ts';

/** What a program does with the types. It compiles only if they say what is null, and that an order has either of two bodies. */
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
`;

/** The least of the generators of docs/api.md. The others run by night. */
describe('The generator openapi-typescript', function () {
  this.timeout(120_000);
  const place = temporaryFolder();

  it('accepts the document as docs/api.md runs it, and emits types that compile in strict mode', async () => {
    const command = documentedCommands().find(({ generator }) => generator.startsWith('openapi-typescript@'));
    if (command === undefined) return expect.fail('docs/api.md does not name it.');
    writeFileSync(place('openapi.json'), JSON.stringify(served));
    await run(command, installations.byDay, place());
    writeFileSync(place('program.ts'), program);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    expect(await typeErrors(place(), [...options, 'program.ts'])).to.equal('');
    return undefined;
  });
});
