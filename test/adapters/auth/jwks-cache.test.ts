import { expect } from 'chai';
import { readAccessToken, TokenRefused } from '#adapters/auth/access-token.ts';
import { KeySet } from '#adapters/auth/jwks-cache.ts';
import { refusalOf } from '../../contracts/harness.ts';
import { IdentityProvider } from '../../http/support/identity-provider.ts';
import { until } from '../../support/until.ts';

describe('The keys of an identity provider', () => {
  let provider: IdentityProvider;
  let reported: unknown[];
  beforeEach(async () => {
    provider = new IdentityProvider();
    await provider.start();
    reported = [];
  });
  afterEach(() => provider.stop());

  const keySet = (times: object = {}) => new KeySet(provider.keysUrl, (error) => reported.push(error), times);
  const read = async (keys: KeySet, token?: string) =>
    readAccessToken(token ?? (await provider.token({ sub: 'ada' })), keys.find, provider, Date.now());

  for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']) {
    it(`check what was signed with ${alg}`, async () => {
      await provider.rotate(alg);
      expect((await read(keySet())).claims).to.include({ sub: 'ada' });
    });
  }

  it('that have no names check tokens that name none, as long as one key alone is of their kind', async () => {
    provider.hasNames = false;
    const unnamed = () => provider.token({ sub: 'ada' }, { kid: undefined });
    expect((await read(keySet(), await unnamed())).claims).to.include({ sub: 'ada' });
    expect(await refusalOf(read(keySet(), await provider.token({ sub: 'ada' })))).to.be.instanceOf(
      TokenRefused,
    );
    await provider.rotate('ES256', [provider.key]);
    expect((await read(keySet(), await unnamed())).claims).to.include({ sub: 'ada' });
    await provider.rotate('ES256', [provider.key]);
    expect(await refusalOf(read(keySet(), await unnamed())))
      .to.be.instanceOf(TokenRefused)
      .with.property('message', 'multiple matching keys found in the JSON Web Key Set');
  });

  it('are asked for once, by many at once', async () => {
    const keys = keySet();
    await Promise.all(Array.from({ length: 20 }, () => read(keys)));
    expect(provider.asked).to.equal(1);
  });

  it('are asked for again when a token names another, so that a new key is known without a restart', async () => {
    const keys = keySet({ pause: 100 });
    await read(keys);
    const old = await provider.token({ sub: 'ada' });
    await provider.rotate();
    await until(
      () => read(keys).catch((error: unknown) => error),
      (found) => !(found instanceof TokenRefused),
    );
    expect(await refusalOf(read(keys, old))).to.be.instanceOf(TokenRefused);
    expect(provider.asked).to.be.within(2, 3);
  });

  it('are asked for now and then, so that one which was withdrawn is believed no more', async () => {
    const keys = keySet({ pause: 1, freshness: 50 });
    const old = await provider.token({ sub: 'ada' });
    await read(keys, old);
    await provider.rotate();
    await until(
      () => read(keys, old).catch((error: unknown) => error),
      (found) => found instanceof TokenRefused,
    );
  });

  it('go on being used while the provider is away, and no longer than they may', async () => {
    const keys = keySet({ pause: 1, freshness: 10, endurance: 300 });
    const token = await provider.token({ sub: 'ada' });
    await read(keys, token);
    await provider.stop();
    let believed = 0;
    const refusal = await until(
      () => read(keys, token).catch((error: unknown) => error),
      (found) => {
        if (!(found instanceof Error)) believed += 1;
        return found instanceof Error;
      },
    );
    expect(believed).to.be.above(2);
    expect(refusal).to.include({ kind: 'unavailable' });
    expect(reported).not.to.deep.equal([]);
  });

  it('cannot be said to lack one while the provider is away, which is asked no more often for that', async () => {
    const keys = keySet({ pause: 50 });
    await read(keys);
    await provider.stop();
    const stranger = await provider.token({ sub: 'ada' }, { kid: 'another' });
    const refusal = await until(
      () => read(keys, stranger).catch((error: unknown) => error),
      (found) => !(found instanceof TokenRefused),
    );
    expect(refusal).to.include({ kind: 'unavailable' });
    const before = reported.length;
    for (let count = 0; count < 20; count += 1) {
      expect(await refusalOf(read(keys, stranger))).to.include({ kind: 'unavailable' });
    }
    expect(reported.length - before).to.be.most(3);
    expect((await read(keys)).claims).to.include({ sub: 'ada' });
  });

  it('are waited for no longer than is reasonable', async () => {
    provider.isSilent = true;
    const keys = keySet({ patience: 200 });
    const begun = performance.now();
    expect(await refusalOf(read(keys))).to.include({ kind: 'unavailable' });
    expect(performance.now() - begun).to.be.within(150, 2_000);
    const again = performance.now();
    expect(await refusalOf(read(keys))).to.include({ kind: 'unavailable' });
    expect(performance.now() - again).to.be.below(150);
    expect(provider.asked).to.equal(1);
  });
});
