import { expect } from 'chai';
import { readConfig } from '#bootstrap/config/config.ts';
import type { Environment } from '#bootstrap/config/env-parser.ts';
import { expectInvalid } from '../support/settings.ts';

describe('The settings of an identity provider', () => {
  it('need all of an identity provider or none, and a transport that keeps its keys unchanged', () => {
    const whole = {
      JWT_ISSUER: 'https://id.example/',
      JWT_AUDIENCE: 'shop',
      JWT_JWKS_URL: 'https://id.example/keys',
    };
    expect(readConfig({}).identityProvider).to.equal(undefined);
    expect(readConfig(whole).identityProvider).to.deep.equal({
      issuer: 'https://id.example/',
      audience: 'shop',
      keysUrl: 'https://id.example/keys',
      userClaim: 'sub',
      trustEmail: false,
      provision: false,
      roleClaim: undefined,
      scopesClaim: undefined,
      adminLogin: undefined,
    });
    const claims = {
      JWT_USER_CLAIM: 'email',
      JWT_TRUST_EMAIL: '1',
      JWT_PROVISION: '1',
      JWT_ROLE_CLAIM: 'realm_access.roles',
      JWT_SCOPES_CLAIM: 'scope',
    };
    expect(readConfig({ ...whole, ...claims }).identityProvider).to.deep.include({
      ...{
        userClaim: 'email',
        trustEmail: true,
        provision: true,
        roleClaim: 'realm_access.roles',
        scopesClaim: 'scope',
      },
    });
    for (const name of Object.keys(whole)) {
      expectInvalid({ ...whole, [name]: '' }, name, /must be set where JWT_\w+ is/);
    }
    expectInvalid({ ...whole, JWT_TRUST_EMAIL: 'yes' }, 'JWT_TRUST_EMAIL', /1 or 0/);
    expectInvalid({ ...whole, JWT_PROVISION: 'yes' }, 'JWT_PROVISION', /1 or 0/);
    expectInvalid({ JWT_PROVISION: '1' }, 'JWT_ISSUER', /must be set where JWT_PROVISION is/);
    expectInvalid({ JWT_ROLE_CLAIM: 'roles' }, 'JWT_ISSUER', /JWT_ROLE_CLAIM/);
    for (const url of [
      'http://id.example/keys',
      'id.example',
      'file:///keys',
      'https://ada:x@id.example/keys',
    ]) {
      expectInvalid({ ...whole, JWT_JWKS_URL: url }, 'JWT_JWKS_URL', /https/);
    }
    for (const url of ['http://127.0.0.1:8080/keys', 'http://localhost/keys', 'http://[::1]:1/keys']) {
      expect(readConfig({ ...whole, JWT_JWKS_URL: url }).identityProvider?.keysUrl).to.equal(url);
    }
  });

  it('need an identity provider whose endpoints can be found where the admin page signs people in', () => {
    const whole = {
      JWT_ISSUER: 'https://id.example/realms/shop',
      JWT_AUDIENCE: 'shop',
      JWT_JWKS_URL: 'https://id.example/keys',
      ADMIN_OIDC_CLIENT_ID: 'portico-admin',
    };
    const loginOf = (environment: Environment) => readConfig(environment).identityProvider?.adminLogin;
    expect(loginOf(whole)).to.deep.equal({ clientId: 'portico-admin', scope: 'openid' });
    const more = { ...whole, ADMIN_OIDC_SCOPE: 'openid offline_access api://shop/admin' };
    expect(loginOf(more)?.scope).to.equal('openid offline_access api://shop/admin');
    expect(loginOf({ ...whole, JWT_ISSUER: 'http://127.0.0.1:8080' })?.clientId).to.equal('portico-admin');
    for (const name of ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'])
      expectInvalid({ ...whole, [name]: '' }, name, /must be set where/);
    expectInvalid(
      { ADMIN_OIDC_CLIENT_ID: 'a' },
      'JWT_ISSUER',
      /^JWT_ISSUER must be set where ADMIN_OIDC_CLIENT_ID is/,
    );
    const { ADMIN_OIDC_CLIENT_ID: _, ...without } = more;
    expectInvalid(without, 'ADMIN_OIDC_CLIENT_ID', /must be set where ADMIN_OIDC_SCOPE is/);
    for (const issuer of ['shop', 'http://id.example', 'https://id.example/?a=1', 'https://ada:x@id.example'])
      expectInvalid({ ...whole, JWT_ISSUER: issuer }, 'JWT_ISSUER', /https URL where ADMIN_OIDC_CLIENT_ID/);
    for (const scope of ['email', 'openid  email', 'openid "all"', `openid ${'a'.repeat(500)}`])
      expectInvalid({ ...whole, ADMIN_OIDC_SCOPE: scope }, 'ADMIN_OIDC_SCOPE', /openid among them/);
    expectInvalid({ ...whole, ADMIN_OIDC_CLIENT_ID: 'a b' }, 'ADMIN_OIDC_CLIENT_ID', /visible ASCII/);
  });
});
