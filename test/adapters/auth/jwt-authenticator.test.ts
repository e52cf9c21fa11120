import { mock } from 'node:test';
import { expect } from 'chai';
import { generateKeyPair, SignJWT } from 'jose';
import { jwtAuthenticator } from '#adapters/auth/jwt-authenticator.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { Caller } from '#application/preconditions.ts';
import { User } from '#domain/user.ts';
import { aUser, later } from '../../contracts/samples.ts';

const provider = { issuer: 'https://id.example', audience: 'portico' };

describe('A token that has been accepted', () => {
  afterEach(() => mock.restoreAll());

  it('by default loses its rights within five seconds when its user is demoted', async () => {
    const { unitOfWork } = await openMemory();
    const user = aUser({ role: 'staff' });
    await unitOfWork.run(({ users }) => users.add(user));
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({ sub: user.id, iss: provider.issuer, aud: provider.audience })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime('5 minutes')
      .sign(privateKey);
    const { authenticate } = jwtAuthenticator({
      trusted: {
        ...provider,
        userClaim: 'sub',
        trustEmail: false,
        roleClaim: undefined,
        scopesClaim: undefined,
      },
      key: async () => publicKey,
      unitOfWork,
      now: Date.now,
      onRejected: (reason) => expect.fail(reason),
    });
    const role = async () => ((await authenticate(token)) as Caller | undefined)?.role;

    expect(await role()).to.equal('staff');
    await unitOfWork.run(({ users }) => users.save(User.change(user, { role: 'customer' }, later(1))));
    const accepted = performance.now();
    mock.method(performance, 'now', () => accepted + 5_000);
    expect(await role()).to.equal('customer');
  });
});
