import { expect } from 'chai';
import { TtlCache } from '#adapters/auth/credential-cache.ts';

describe('The TTL cache', () => {
  const recording = (ttl: number, maxEntries: number) => {
    const cache = new TtlCache<string>(ttl, maxEntries);
    const loaded: string[] = [];
    const gone = new Set<string>();
    /** Finds keys that begin with `known`. */
    const get = (key: string, anew?: boolean) =>
      cache.get(
        key,
        async () => {
          loaded.push(key);
          return key.startsWith('known') && !gone.has(key) ? key.toUpperCase() : undefined;
        },
        anew,
      );
    return { get, loaded, gone };
  };

  it('loads once, whether that finds something or not', async () => {
    const { get, loaded } = recording(60_000, 10);
    for (const key of ['known', 'missing']) {
      expect(await Promise.all([get(key), get(key)])).to.deep.equal(
        key === 'known' ? ['KNOWN', 'KNOWN'] : [undefined, undefined],
      );
      expect(get(key)).to.equal(key === 'known' ? 'KNOWN' : undefined);
    }
    expect(loaded).to.deep.equal(['known', 'missing']);
  });

  it('loads anew where that is asked for, and keeps what it found then', async () => {
    const { get, loaded, gone } = recording(60_000, 10);
    for (const anew of [false, true, false]) expect(await get('known', anew)).to.equal('KNOWN');
    gone.add('known');
    expect(await get('known')).to.equal('KNOWN');
    for (const anew of [true, false]) expect(await get('known', anew)).to.equal(undefined);
    gone.clear();
    for (const anew of [true, false]) expect(await get('known', anew)).to.equal('KNOWN');
    expect(loaded).to.have.lengthOf(4);
  });

  it('loads again after the TTL', async () => {
    const { get, loaded } = recording(0, 10);
    for (const key of ['known', 'known', 'missing', 'missing']) await get(key);
    expect(loaded).to.deep.equal(['known', 'known', 'missing', 'missing']);
  });

  it('keeps what it found, however many misses there are', async () => {
    const { get, loaded } = recording(60_000, 10);
    await get('known');
    for (let number = 0; number < 1_000; number += 1) await get(`missing ${number}`);
    await get('known');
    expect(loaded.filter((key) => key === 'known')).to.have.lengthOf(1);
  });

  it('keeps a limited number of entries, and a tenth as many misses', async () => {
    const { get, loaded } = recording(60_000, 20);
    const names = (kind: string) => Array.from({ length: 21 }, (_, number) => `${kind} ${number}`);
    for (const name of [...names('known'), ...names('missing')]) await get(name);
    loaded.length = 0;
    for (const name of ['known 20', 'known 1', 'missing 20', 'missing 19']) await get(name);
    expect(loaded).to.deep.equal([]);
    for (const name of ['known 0', 'missing 18']) await get(name);
    expect(loaded).to.deep.equal(['known 0', 'missing 18']);
  });

  it('does not cache a load that rejects', async () => {
    const cache = new TtlCache<string>(60_000, 10);
    const failing = await Promise.resolve(
      cache.get('one', () => Promise.reject(new Error('Unavailable.'))),
    ).catch(({ message }: Error) => message);
    expect(failing).to.equal('Unavailable.');
    expect(await cache.get('one', async () => 'there')).to.equal('there');
  });
});
