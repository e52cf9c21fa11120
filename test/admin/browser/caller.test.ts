import { expect } from 'chai';
import { readCaller } from '#adapters/ops/admin/browser/components/caller.ts';
import type { Credential } from '#adapters/ops/admin/browser/resources.ts';
import type { Json } from '../../http/support/client.ts';

describe('Who is signed in to the admin page', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const token = `ptc_${id.replaceAll('-', '')}_secret`;
  let asked: string[] = [];

  const read = async (credential: Credential, demoKey?: string): Promise<unknown> => {
    asked = [];
    const send: Json = async (target: string, { path }: { readonly path: object }) => {
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
      [async () => 'the token of an identity provider'],
    ] as const) {
      expect(await read(credential, demoKey)).to.deep.equal({});
      expect(asked).to.deep.equal([]);
    }
  });
});
