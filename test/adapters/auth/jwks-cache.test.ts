import { expect } from 'chai';
import { InvalidTokenError, verifyAccessToken } from '#adapters/auth/access-token.ts';
import { JwksCache } from '#adapters/auth/jwks-cache.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { IdentityProvider } from '../../http/support/identity-provider.ts';
import { until } from '../../support/until.ts';

describe('The JWKS cache', () => {
  let provider: IdentityProvider;
  let reported: unknown[];
  beforeEach(async () => {
    provider = new IdentityProvider();
    await provider.start();
    reported = [];
  });
  afterEach(() => provider.stop());

  const openCache = (options: ConstructorParameters<typeof JwksCache>[2] = {}) =>
    new JwksCache(provider.keysUrl, (error) => reported.push(error), options);
  const read = async (keys: JwksCache, token?: string) =>
    verifyAccessToken(token ?? (await provider.token({ sub: 'ada' })), keys.find, provider, Date.now());

  for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']) {
    it(`verifies tokens signed with ${alg}`, async () => {
      await provider.rotate(alg);
      expect((await read(openCache())).claims).to.include({ sub: 'ada' });
    });
  }

  it('uses keys without ids for tokens without one, as long as only one key fits the algorithm', async () => {
    provider.hasNames = false;
    const unnamed = () => provider.token({ sub: 'ada' }, { kid: undefined });
    expect((await read(openCache(), await unnamed())).claims).to.include({ sub: 'ada' });
    expect(await rejectionOf(read(openCache(), await provider.token({ sub: 'ada' })))).to.be.instanceOf(
      InvalidTokenError,
    );
    await provider.rotate('ES256', [provider.key]);
    expect((await read(openCache(), await unnamed())).claims).to.include({ sub: 'ada' });
    await provider.rotate('ES256', [provider.key]);
    expect(await rejectionOf(read(openCache(), await unnamed())))
      .to.be.instanceOf(InvalidTokenError)
      .with.property('message', 'multiple matching keys found in the JSON Web Key Set');
  });

  it('loads the keys once for concurrent requests', async () => {
    const keys = openCache();
    await Promise.all(Array.from({ length: 20 }, () => read(keys)));
    expect(provider.asked).to.equal(1);
  });

  it('loads the keys again for an unknown key id, so that a rotation needs no restart', async () => {
    const keys = openCache({ cooldownDuration: 100 });
    await read(keys);
    const old = await provider.token({ sub: 'ada' });
    await provider.rotate();
    await until(
      () => read(keys).catch((error: unknown) => error),
      (found) => !(found instanceof InvalidTokenError),
    );
    expect(await rejectionOf(read(keys, old))).to.be.instanceOf(InvalidTokenError);
    expect(provider.asked).to.be.within(2, 3);
  });

  it('refreshes old keys, so that a withdrawn key is rejected', async () => {
    const keys = openCache({ cooldownDuration: 1, cacheMaxAge: 50 });
    const old = await provider.token({ sub: 'ada' });
    await read(keys, old);
    await provider.rotate();
    await until(
      () => read(keys, old).catch((error: unknown) => error),
      (found) => found instanceof InvalidTokenError,
    );
  });

  it('uses its keys while the provider is unavailable, for a limited time', async () => {
    const keys = openCache({ cooldownDuration: 1, cacheMaxAge: 10, staleIfErrorDuration: 300 });
    const token = await provider.token({ sub: 'ada' });
    await read(keys, token);
    await provider.stop();
    let accepted = 0;
    const error = await until(
      () => read(keys, token).catch((error: unknown) => error),
      (found) => {
        if (!(found instanceof Error)) accepted += 1;
        return found instanceof Error;
      },
    );
    expect(accepted).to.be.above(2);
    expect(error).to.include({ kind: 'unavailable' });
    expect(reported).not.to.deep.equal([]);
  });

  it('answers unavailable for an unknown key id while the provider is unavailable, within the cooldown', async () => {
    const keys = openCache({ cooldownDuration: 50 });
    await read(keys);
    await provider.stop();
    const unknown = await provider.token({ sub: 'ada' }, { kid: 'another' });
    const error = await until(
      () => read(keys, unknown).catch((error: unknown) => error),
      (found) => !(found instanceof InvalidTokenError),
    );
    expect(error).to.include({ kind: 'unavailable' });
    const before = reported.length;
    for (let count = 0; count < 20; count += 1) {
      expect(await rejectionOf(read(keys, unknown))).to.include({ kind: 'unavailable' });
    }
    expect(reported.length - before).to.be.most(3);
    expect((await read(keys)).claims).to.include({ sub: 'ada' });
  });

  it('gives up on a provider that does not respond within the timeout', async () => {
    provider.isSilent = true;
    const keys = openCache({ timeoutDuration: 200 });
    const begun = performance.now();
    expect(await rejectionOf(read(keys))).to.include({ kind: 'unavailable' });
    expect(performance.now() - begun).to.be.within(150, 2_000);
    const again = performance.now();
    expect(await rejectionOf(read(keys))).to.include({ kind: 'unavailable' });
    expect(performance.now() - again).to.be.below(150);
    expect(provider.asked).to.equal(1);
  });
});
