import { expect } from 'chai';
import { Recent } from '#adapters/auth/credential-cache.ts';

describe('What was looked up recently', () => {
  const watched = (lifetime: number, most: number) => {
    const recent = new Recent<string>(lifetime, most);
    const looked: string[] = [];
    /** Finds what begins with `known`. */
    const get = (key: string) =>
      recent.get(key, async () => {
        looked.push(key);
        return key.startsWith('known') ? key.toUpperCase() : undefined;
      });
    return { get, looked };
  };

  it('is looked up once, whether it was found or not', async () => {
    const { get, looked } = watched(60_000, 10);
    for (const key of ['known', 'nobody']) {
      expect(await Promise.all([get(key), get(key)])).to.deep.equal(
        key === 'known' ? ['KNOWN', 'KNOWN'] : [undefined, undefined],
      );
      expect(get(key)).to.equal(key === 'known' ? 'KNOWN' : undefined);
    }
    expect(looked).to.deep.equal(['known', 'nobody']);
  });

  it('is looked up again after a while', async () => {
    const { get, looked } = watched(0, 10);
    for (const key of ['known', 'known', 'nobody', 'nobody']) await get(key);
    expect(looked).to.deep.equal(['known', 'known', 'nobody', 'nobody']);
  });

  it('stays known, whoever asks for what there is not', async () => {
    const { get, looked } = watched(60_000, 10);
    await get('known');
    for (let number = 0; number < 1_000; number += 1) await get(`nobody ${number}`);
    await get('known');
    expect(looked.filter((key) => key === 'known')).to.have.lengthOf(1);
  });

  it('is remembered of no more than so many, and of those that were not found of a tenth of them', async () => {
    const { get, looked } = watched(60_000, 20);
    const names = (kind: string) => Array.from({ length: 21 }, (_, number) => `${kind} ${number}`);
    for (const name of [...names('known'), ...names('nobody')]) await get(name);
    looked.length = 0;
    for (const name of ['known 20', 'known 1', 'nobody 20', 'nobody 19']) await get(name);
    expect(looked).to.deep.equal([]);
    for (const name of ['known 0', 'nobody 18']) await get(name);
    expect(looked).to.deep.equal(['known 0', 'nobody 18']);
  });

  it('is not remembered when it failed', async () => {
    const recent = new Recent<string>(60_000, 10);
    const failing = await Promise.resolve(recent.get('one', () => Promise.reject(new Error('Away.')))).catch(
      ({ message }: Error) => message,
    );
    expect(failing).to.equal('Away.');
    expect(await recent.get('one', async () => 'there')).to.equal('there');
  });
});
