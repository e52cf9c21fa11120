import { expect } from 'chai';
import {
  callbackProblem,
  tokenProblem,
  unknownUser,
} from '#adapters/ops/admin/browser/login/token-errors.ts';
import type { ProviderLogin } from '#adapters/ops/admin/login.ts';

/** The tests of the page in Chromium show those of the usual mistakes. */
describe('The words of a login', () => {
  const endpoints = {
    ...{ authorization: 'https://id.example/authorize', token: 'https://id.example/token' },
    ...{ endSession: undefined, revocation: undefined, namesItself: true },
  };
  const provider: ProviderLogin = {
    ...{ issuer: 'https://id.example', audience: 'shop', userClaim: 'user.email' },
    ...{ clientId: 'admin', scope: 'openid', endpoints },
  };
  const token = (claims: object) =>
    `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

  it('reject a callback of another issuer, and one without issuer where the provider names itself', async () => {
    const problem = (callback: object, known = provider) =>
      callbackProblem({ code: 'c', verifier: 'v', ...callback }, known, 'id.example');
    expect(problem({ iss: 'https://id.example' })).to.equal(undefined);
    expect(problem({})).to.match(/^Not id\.example has sent you back/);
    expect(problem({ iss: 'https://other.example' })).to.match(/^Not id\.example has sent you back/);
    const silent = { ...provider, endpoints: { ...endpoints, namesItself: false } };
    expect(problem({}, silent)).to.equal(undefined);
    expect(problem({ iss: 'https://other.example' }, silent)).to.match(/^Not id\.example/);
    expect(problem({ code: undefined, error: 'temporarily_unavailable' }, silent)).to.match(
      /^id\.example could not sign you in \(temporarily_unavailable\)\. Try again/,
    );
  });

  it('name what a token lacks', async () => {
    const problem = (text: string, type = 'Bearer') =>
      tokenProblem({ access_token: text, token_type: type }, provider, 'id.example');
    const good = { iss: 'https://id.example', aud: ['account', 'shop'] };
    expect(problem(token(good))).to.equal(undefined);
    expect(problem(token(good), 'DPoP')).to.match(/must be a bearer token/);
    for (const opaque of ['opaque', 'a.b', 'a.b.c', 'a.b.c.d.e'])
      expect(problem(opaque)).to.match(/in the form JWT for the API “shop”/);
    expect(problem(token({ ...good, aud: 'account' }))).to.match(/gave a token for “account”/);
    expect(problem(token({ ...good, iss: 'https://other' }))).to.match(/of “https:\/\/other”.*JWT_ISSUER/);
  });

  it('say by what a user is found', async () => {
    const said = (claims: object, userClaim: string) =>
      unknownUser(token(claims), { ...provider, userClaim }, 'id.example');
    const ada = { user: { email: 'adä@shop.example' }, 'https://shop.example/id': '7' };
    expect(said(ada, 'user.email')).to.match(/^No user of this shop has the address adä@shop\.example, or/);
    expect(said(ada, 'https://shop.example/id')).to.match(/^No user of this shop has the id 7, which/);
    expect(said(ada, 'portico_id')).to.match(/it has no “portico_id”/);
    expect(said({}, 'user.email')).to.match(/it has no “user\.email”/);
  });
});
