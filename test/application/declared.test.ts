import { expect } from 'chai';
import { command, query } from '#application/use-case.ts';
import { DomainError } from '#domain/errors.ts';
import { kindOf } from './error-kind.ts';
import { aFixture } from './fixture.ts';

const outOfStock = async (): Promise<never> => {
  throw new DomainError('out-of-stock', 'There is none.');
};

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing was thrown',
    (error: Error) => error.message,
  );

describe('A use case that throws a domain error', () => {
  it('of a declared kind passes it on', async () => {
    const { run, read, ada } = await aFixture();
    const buying = command('orders:write', ['out-of-stock'], () => outOfStock);
    expect(await kindOf(run(buying, ada, undefined))).to.equal('out-of-stock');
    const looking = query('orders:read', ['out-of-stock'], () => outOfStock);
    expect(await kindOf(read(looking, ada, undefined))).to.equal('out-of-stock');
  });

  it('of an undeclared kind fails every test that meets it', async () => {
    const { run, read, send, ada } = await aFixture();
    const buying = command('orders:write', ['not-found'], () => outOfStock);
    const looking = query('orders:read', [], () => outOfStock);
    const met = [
      run(buying, ada, undefined),
      read(looking, ada, undefined),
      send(buying, ada, undefined, 'a key'),
    ];
    for (const one of met) expect(await messageOf(one)).to.contain("can throw 'out-of-stock'");
  });
});
