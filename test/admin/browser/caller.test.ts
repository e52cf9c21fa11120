import { expect } from 'chai';

/** A module of the page, which has no types. */
const module = new URL('../../../adapters/ops/admin/browser/components/caller.ts', import.meta.url);

describe('Who is signed in to the admin page', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const token = `ptc_${id.replaceAll('-', '')}_secret`;
  let asked: string[] = [];

  const read = async (credential: unknown, demoKey?: string): Promise<unknown> => {
    const { readCaller } = await import(module.href);
    asked = [];
    const send = async (target: string, { path }: { readonly path: object }) => {
      asked.push([target, ...Object.values(path)].join(' '));
      return { data: { id: 'read', user_id: 'owner' } };
    };
    return readCaller(send, credential, async () => demoKey);
  };

  it('is the user of the key whose id is in the token', async () => {
    expect(await read(token)).to.have.all.keys('key', 'user');
    expect(asked).to.deep.equal([`GET /api-keys/{id} ${id}`, 'GET /users/{user_id} owner']);
  });

  it('is not asked for a key that is in no list', async () => {
    for (const [credential, demoKey] of [
      [token, token],
      ['a key that the operator has chosen'],
      [() => 'the token of an identity provider'],
    ] as const) {
      expect(await read(credential, demoKey)).to.deep.equal({});
      expect(asked).to.deep.equal([]);
    }
  });
});
