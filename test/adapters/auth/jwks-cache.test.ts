import { expect } from 'chai';
import { InvalidTokenError, verifyAccessToken } from '#adapters/auth/access-token.ts';
import { JwksCache } from '#adapters/auth/jwks-cache.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { IdentityProvider } from '../../http/support/identity-provider.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { turnsUntil } from '../../support/turns.ts';

const [cooldownMs, errorCooldownMs, timeoutMs] = [10_000, 2_000, 3_000];
const [maxAgeMs, maxStaleMs] = [5 * 60_000, 24 * 3_600_000];

describe('The JWKS cache', () => {
  let time: SimulatedTime;
  let provider: IdentityProvider;
  let reported: unknown[];
  beforeEach(async () => {
    provider = new IdentityProvider();
    await provider.start();
    reported = [];
    time = new SimulatedTime();
  });
  afterEach(async () => {
    time.end();
    await provider.stop();
  });

  const openCache = (options: ConstructorParameters<typeof JwksCache>[2] = {}) =>
    new JwksCache(provider.keysUrl, (error) => reported.push(error), options);
  const read = async (keys: JwksCache, token?: string) =>
    verifyAccessToken(token ?? (await provider.token({ sub: 'ada' })), keys.find, provider, Date.now());

  it('verifies tokens signed with each asymmetric algorithm', async () => {
    for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']) {
      await provider.rotate(alg);
      expect((await read(openCache())).claims, alg).to.include({ sub: 'ada' });
    }
  });

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

  it('loads the keys again for an unknown key id, once in ten seconds, so that a rotation needs no restart', async () => {
    const keys = openCache();
    const old = await provider.token({ sub: 'ada' });
    await read(keys, old);
    await provider.rotate();
    time.work(cooldownMs - 1);
    expect(await rejectionOf(read(keys))).to.be.instanceOf(InvalidTokenError);
    expect(provider.asked).to.equal(1);
    time.work(1);
    expect((await read(keys)).claims).to.include({ sub: 'ada' });
    expect(await rejectionOf(read(keys, old))).to.be.instanceOf(InvalidTokenError);
    expect(provider.asked).to.equal(2);
  });

  it('refreshes keys that are five minutes old, so that a withdrawn key is rejected', async () => {
    const keys = openCache();
    const old = await provider.token({ sub: 'ada' });
    await read(keys, old);
    await provider.rotate();
    time.work(maxAgeMs);
    await read(keys, old);
    expect(provider.asked).to.equal(1);
    time.work(1);
    // The refresh goes on in the background.
    await read(keys, old);
    await turnsUntil(() => provider.asked === 2);
    let rejection: unknown;
    await turnsUntil(async () => {
      rejection = await read(keys, old).catch((error: unknown) => error);
      return rejection instanceof InvalidTokenError;
    }, 1_000);
  });

  it('uses its keys while the provider is unavailable, for a day', async () => {
    const keys = openCache();
    const token = await provider.token({ sub: 'ada' });
    await read(keys, token);
    await provider.stop();
    time.work(maxStaleMs);
    expect((await read(keys, token)).claims).to.include({ sub: 'ada' });
    await turnsUntil(() => reported.length > 0);
    time.work(cooldownMs);
    expect(await rejectionOf(read(keys, token))).to.include({ kind: 'unavailable' });
  });

  it('responds unavailable for an unknown key id while the provider is unavailable, which it asks every two seconds', async () => {
    const keys = openCache();
    await read(keys);
    await provider.stop();
    const unknown = await provider.token({ sub: 'ada' }, { kid: 'another' });
    time.work(cooldownMs);
    for (const reports of [1, 2]) {
      for (let count = 0; count < 20; count += 1) {
        expect(await rejectionOf(read(keys, unknown))).to.include({ kind: 'unavailable' });
      }
      expect(reported).to.have.length(reports);
      time.work(errorCooldownMs);
    }
    expect((await read(keys)).claims).to.include({ sub: 'ada' });
  });

  it('gives up on a provider that does not respond within three seconds', async () => {
    provider.isSilent = true;
    const keys = openCache();
    const ended: unknown[] = [];
    const pending = rejectionOf(read(keys));
    void pending.then((error) => ended.push(error));
    await turnsUntil(() => provider.asked === 1);
    await time.pass(timeoutMs - 100);
    expect(ended).to.deep.equal([]);
    await time.pass(100);
    await turnsUntil(() => ended.length > 0);
    expect(ended[0]).to.include({ kind: 'unavailable' });
  });

  it('does not ask a provider again whose response has timed out a moment ago', async () => {
    provider.isSilent = true;
    const keys = openCache({ timeoutMs: errorCooldownMs / 2 });
    const pending = rejectionOf(read(keys));
    await turnsUntil(() => provider.asked === 1);
    await time.pass(errorCooldownMs / 2);
    expect(await pending).to.include({ kind: 'unavailable' });
    expect(await rejectionOf(read(keys))).to.include({ kind: 'unavailable' });
    expect(provider.asked).to.equal(1);
  });
});
