import { expect } from 'chai';
import * as page from '#adapters/ops/admin/browser/kept.ts';
import type { Json } from '../../http/support/client.ts';

describe('What a tab of the admin page keeps', () => {
  const { sessionStorage: own } = Object.getOwnPropertyDescriptors(globalThis) as Json;

  const setStorage = (get: () => unknown): void => {
    Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get });
  };

  afterEach(() => {
    page.forget('name');
    if (own === undefined) Reflect.deleteProperty(globalThis, 'sessionStorage');
    else Object.defineProperty(globalThis, 'sessionStorage', own);
  });

  it('is in the storage of the tab', () => {
    const stored = new Map<string, string>();
    setStorage(() => ({
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => stored.set(name, text),
      removeItem: (name: string) => stored.delete(name),
    }));
    expect(page.kept('name')).to.equal(undefined);
    expect(page.keep('name', 'text')).to.equal(true);
    expect([...stored]).to.deep.equal([['name', 'text']]);
    expect(page.kept('name')).to.equal('text');
    page.forget('name');
    expect([page.kept('name'), stored.size]).to.deep.equal([undefined, 0]);
  });

  const refusals: readonly (readonly [string, () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('Access is denied for this document.');
      },
    ],
    ['is null', () => null],
  ];
  for (const [what, get] of refusals)
    it(`is in the page alone where the storage ${what}`, () => {
      setStorage(get);
      expect(page.kept('name')).to.equal(undefined);
      expect(page.keep('name', 'text')).to.equal(false);
      expect(page.kept('name')).to.equal('text');
      page.forget('name');
      expect(page.kept('name')).to.equal(undefined);
    });
});
