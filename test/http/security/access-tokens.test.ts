import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload } from 'jose';
import { Client } from '../support/client.ts';
import { expectCreated, expectNoContent, expectOne } from '../support/expectations.ts';
import { IdentityProvider } from '../support/identity-provider.ts';
import { expectProblem } from '../support/protocol.ts';
import {
  describeService,
  describeServiceInSimulatedTime,
  describeServiceOnMemory,
  type RoleName,
  Service,
} from '../support/service.ts';
import { newOrder, newProduct, nowhere, once } from '../support/shop.ts';

/** A short one, so that no test waits for the default. */
const timing = { credentialTtlMs: 300 };

/** Bounds how long a revoked right may still work, in milliseconds. Below the default lifetime of the cache. */
const revocationTimeoutMs = 2_000;

const provider = new IdentityProvider();

/** The provider's address is not known before it listens. */
const trusting = (more: Readonly<Record<string, string>> = {}) => ({
  JWT_ISSUER: provider.issuer,
  JWT_AUDIENCE: provider.audience,
  get JWT_JWKS_URL() {
    return provider.keysUrl;
  },
  ...more,
});

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const bearing = (service: Service, token: string): Client => new Client(() => service.url, token);

/** A user with this role, and a client that calls the service with a token for that user. */
const known = async (service: Service, role: RoleName, claims: JWTPayload = {}) => {
  const person = await service.person(role);
  const token = await provider.token({ sub: person.userId, ...claims });
  return { person, token, bearer: bearing(service, token) };
};

const expectUnauthorized = async (service: Service, token: string, why: string): Promise<void> => {
  const answer = await bearing(service, token).get('/v1/products');
  expect(answer.status, why).to.equal(401);
  expectProblem(answer, '401 UNAUTHORIZED');
  expect(answer.headers.get('WWW-Authenticate')).to.equal('Bearer');
  expect(answer.body.error.message).to.match(
    /^The API key or access token is missing, unknown or expired\. /,
  );
};

describe('An identity provider', () => {
  before(() => provider.start());
  after(() => provider.stop());

  describeService('An access token', trusting(), (service) => {
    it('acts for its subject, with the role and scopes of that user', async () => {
      const { person, bearer } = await known(service, 'customer');
      expect((await bearer.get('/v1/products')).status).to.equal(200);
      expect(expectOne(await bearer.get(`/v1/users/${person.userId}`)).role).to.equal('customer');
      expectProblem(await bearer.post('/v1/products', { name: 'Tea' }), '403 FORBIDDEN');
      const staff = await known(service, 'staff');
      expect((await staff.bearer.get('/v1/users')).status).to.equal(200);
    });

    it('shares its idempotency keys with the API keys of its user', async () => {
      const { person, bearer } = await known(service, 'customer');
      const order = await newOrder(person, await newProduct(service));
      const key = once();
      const body = { order_id: order.id, payment_method: 'tok_ok' };
      const first = await person.post('/v1/payments', body, key);
      expectCreated(first, '/v1/payments');
      const second = await bearer.post('/v1/payments', body, key);
      expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(second.text).to.equal(first.text);
    });
  });

  const describeToken = (service: Service): void => {
    const now = () => Math.floor(Date.now() / 1000);

    it('is rejected with 401 when anything about it is invalid', async () => {
      const { userId } = await service.person('admin');
      const good = await provider.token({ sub: userId });
      expect((await bearing(service, good).get('/v1/products')).status).to.equal(200);
      const [header = '', payload = '', signature = ''] = good.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const said = JSON.parse(Buffer.from(header, 'base64url').toString());
      const spki = await exportSPKI(provider.key.publicKey);
      const jwk = JSON.stringify(await exportJWK(provider.key.publicKey));
      const withSecret = (secret: string): string => {
        const begin = `${encoded({ ...said, alg: 'HS256' })}.${payload}`;
        return `${begin}.${createHmac('sha256', secret).update(begin).digest('base64url')}`;
      };
      const pair = await generateKeyPair('RS256', { extractable: true });
      const foreign = { ...pair, kid: provider.key.kid, alg: 'RS256' };
      const publicJwk = await exportJWK(pair.publicKey);
      const of = (changed: JWTPayload, more?: object) => provider.token({ sub: userId, ...changed }, more);
      const bad: Readonly<Record<string, string>> = {
        'another issuer': await of({ iss: 'https://evil.example' }),
        'an issuer with a slash': await of({ iss: `${provider.issuer}/` }),
        'no issuer': await of({ iss: undefined as unknown as string }),
        'another audience': await of({ aud: 'another-api' }),
        'other audiences': await of({ aud: ['one', 'other'] }),
        'no audience': await of({ aud: undefined as unknown as string }),
        expired: await of({ exp: now() - 60 }),
        'no expiry': await of({ exp: undefined as unknown as number }),
        'not yet valid': await of({ nbf: now() + 60 }),
        'from the future': await of({ iat: now() + 60 }),
        'an unknown subject': await of({ sub: nowhere }),
        'no subject': await of({ sub: undefined as unknown as string }),
        'a subject that is no id': await of({ sub: 'ada@example.com' }),
        'alg none': `${encoded({ alg: 'none' })}.${payload}.`,
        'alg none with a signature': `${encoded({ alg: 'none' })}.${payload}.${signature}`,
        'no signature': `${header}.${payload}.`,
        'the public key for a secret': withSecret(spki),
        'the public JWK for a secret': withSecret(jwk),
        'a payload that was changed': `${header}.${encoded({ ...claims, exp: now() + 9_999 })}.${signature}`,
        'another key under the same name': await provider.token({ sub: userId }, {}, foreign),
        'another key, brought along': await provider.token({ sub: userId }, { jwk: publicJwk }, foreign),
        'another key, to be fetched': await provider.token(
          { sub: userId },
          { jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/cert' },
          foreign,
        ),
        'an unknown key id': await of({}, { kid: 'another' }),
        'a critical extension': await provider.signed({ ...said, crit: ['x'], x: 1 }, claims),
        'not for access, by its header': await of({}, { typ: 'logout+jwt' }),
        'a refresh token': await of({ typ: 'Refresh' }),
        'an ID token': await of({ at_hash: 'x' }),
        'bound to a key': await of({ cnf: { jkt: 'x' } }),
        'too long': await of({ filling: 'x'.repeat(7_000) }),
        'half of it': good.slice(0, -20),
        'no JSON': `eyJub3RKc29u.${payload}.${signature}`,
      };
      for (const [why, token] of Object.entries(bad)) await expectUnauthorized(service, token, why);
    });

    it('may carry a jwk and a jku, which are ignored', async () => {
      const { userId } = await service.person('customer');
      const publicJwk = await exportJWK(provider.key.publicKey);
      const token = await provider.token({ sub: userId }, { jwk: publicJwk, jku: 'http://127.0.0.1:1/' });
      expect((await bearing(service, token).get('/v1/products')).status).to.equal(200);
    });

    it('shares its rate limit with other tokens of the same client and subject', async () => {
      const { userId } = await service.person('customer');
      const remaining = async (claims: JWTPayload): Promise<number> => {
        const token = await provider.token({ sub: userId, ...claims });
        const { headers } = await bearing(service, token).get('/v1/products');
        return Number(headers.get('X-RateLimit-Remaining'));
      };
      const first = await remaining({ azp: 'till', jti: '1' });
      expect(await remaining({ azp: 'till', jti: '2' })).to.equal(first - 1);
      expect(await remaining({ client_id: 'app', jti: '3' })).to.equal(first);
      expect(await remaining({ jti: '4' })).to.equal(first);
    });

    it('with an unknown key id fetches the keys of the provider at most once per cooldown', async () => {
      const before = provider.asked;
      for (let count = 0; count < 50; count += 1) {
        const token = await provider.token({ sub: nowhere }, { kid: `unknown-${count}` });
        await expectUnauthorized(service, token, 'unknown');
      }
      expect(provider.asked - before).to.be.most(1);
    });

    it('loses its rights within the lifetime of the cache when its user is demoted or deleted', async () => {
      const [demoted, deleted] = [await known(service, 'staff'), await known(service, 'staff')];
      for (const { bearer } of [demoted, deleted]) {
        expect((await bearer.get('/v1/users')).status).to.equal(200);
      }
      const change = await service.operator.patch(`/v1/users/${demoted.person.userId}`, { role: 'customer' });
      expectOne(change);
      expectNoContent(await service.operator.delete(`/v1/users/${deleted.person.userId}`));
      const becomes = ({ bearer }: { bearer: Client }, hoped: number) =>
        service.until(
          () => bearer.get('/v1/users'),
          ({ status }) => status === hoped,
          revocationTimeoutMs,
        );
      await Promise.all([becomes(demoted, 403), becomes(deleted, 401)]);
    });

    it('is rejected after it expires', async () => {
      const exp = Math.floor(Date.now() / 1000) - 3;
      const { bearer } = await known(service, 'customer', { exp });
      expect((await bearer.get('/v1/products')).status).to.equal(200);
      await service.until(
        () => bearer.get('/v1/products'),
        ({ status }) => status === 401,
      );
    });

    it('works besides API keys', async () => {
      expect((await (await service.person('customer')).get('/v1/products')).status).to.equal(200);
      expect((await service.operator.get('/v1/products')).status).to.equal(200);
    });
  };
  describeServiceInSimulatedTime('A token', trusting(), describeToken, timing);

  const claimed = { JWT_ROLE_CLAIM: 'realm_access.roles', JWT_SCOPES_CLAIM: 'scope' };
  describeServiceOnMemory('A token with roles and scopes', trusting(claimed), (service) => {
    const all = 'products:read products:write users:read users:write openid profile';
    const statuses = async (role: RoleName, roles: unknown, scope: unknown) => {
      const { bearer } = await known(service, role, { realm_access: { roles }, scope });
      const product = { name: 'Tea', price: { amount: 1, currency: 'EUR' } };
      const user = { email: 'not an address', name: 'Ada' };
      return [
        (await bearer.get('/v1/products')).status,
        (await bearer.post('/v1/products', product)).status,
        (await bearer.get('/v1/users')).status,
        (await bearer.post('/v1/users', user)).status,
      ];
    };

    it('has the highest of its roles, capped by the role of its user', async () => {
      expect(await statuses('admin', ['offline_access', 'staff', 'customer'], all)).to.deep.equal([
        200, 201, 200, 403,
      ]);
      expect(await statuses('admin', ['customer', 'admin'], all)).to.deep.equal([200, 201, 200, 422]);
      expect(await statuses('admin', 'staff', all)).to.deep.equal([200, 201, 200, 403]);
      expect(await statuses('staff', ['admin'], all)).to.deep.equal([200, 201, 200, 403]);
      expect(await statuses('customer', ['admin'], all)).to.deep.equal([200, 403, 403, 403]);
    });

    it('acts as a customer without a role claim, and has no rights without a scope claim', async () => {
      expect(await statuses('admin', undefined, all)).to.deep.equal([200, 403, 403, 403]);
      expect(await statuses('admin', ['ADMIN', 'root', 7], all)).to.deep.equal([200, 403, 403, 403]);
      expect(await statuses('admin', ['admin'], undefined)).to.deep.equal([403, 403, 403, 403]);
      expect(await statuses('admin', ['admin'], 'openid email')).to.deep.equal([403, 403, 403, 403]);
    });

    it('has its known scopes, given as a string or as a list', async () => {
      expect(await statuses('staff', ['staff'], 'openid products:read')).to.deep.equal([200, 403, 403, 403]);
      expect(await statuses('staff', ['staff'], ['products:write', 'users:read'])).to.deep.equal([
        403, 201, 200, 403,
      ]);
    });
  });

  const byEmail = { JWT_USER_CLAIM: 'email' };
  for (const [trust, unsaid] of [
    [{}, 401],
    [{ JWT_TRUST_EMAIL: '1' }, 200],
  ] as const) {
    const title =
      unsaid === 200 ? 'A token with an e-mail address that is trusted' : 'A token with an e-mail address';
    describeServiceOnMemory(title, trusting({ ...byEmail, ...trust }), (service) => {
      it('acts for the user with that address if the address is verified', async () => {
        const { userId } = await service.person('customer');
        const email: string = expectOne(await service.operator.get(`/v1/users/${userId}`)).email;
        const statusFor = async (claims: JWTPayload): Promise<number> => {
          const token = await provider.token({ sub: 'auth0|1', email_verified: true, ...claims });
          return (await bearing(service, token).get('/v1/products')).status;
        };
        for (const address of [email, email.toUpperCase()]) {
          expect(await statusFor({ email: address })).to.equal(200);
        }
        expect(await statusFor({ email, email_verified: undefined as unknown as boolean })).to.equal(unsaid);
        for (const unverified of [false, 'false', 0, null]) {
          expect(await statusFor({ email, email_verified: unverified })).to.equal(401);
        }
        expect(await statusFor({ email: 'unknown@example.com' })).to.equal(401);
        // The Kelvin sign is another character, though its lower case is k.
        const { userId: kate } = await service.person('customer');
        const address = `kate${Date.now()}@example.com`;
        expectOne(await service.operator.patch(`/v1/users/${kate}`, { email: address }));
        expect(await statusFor({ email: address })).to.equal(200);
        expect(await statusFor({ email: address.replace('k', '\u212a') })).to.equal(401);
        expectOne(await service.operator.patch(`/v1/users/${kate}`, { email: `${kate}@bücher.example` }));
        for (const domain of ['xn--bcher-kva.example', 'BÜCHER.example', 'bu\u0308cher.example']) {
          expect(await statusFor({ email: `${kate}@${domain}` }), domain).to.equal(200);
        }
        expect(await statusFor({ email: `${kate}@bucher.example` })).to.equal(401);
        expect(await statusFor({ sub: userId })).to.equal(401);
        expect(await statusFor({ email: [email] })).to.equal(401);
      });
    });
  }
});

describe('An identity provider that is unavailable', () => {
  it('makes its tokens get 503 in bounded time, leaves API keys working, and recovers', async () => {
    const own = new IdentityProvider();
    await own.start();
    own.isSilent = true;
    const environment = { JWT_ISSUER: own.issuer, JWT_AUDIENCE: own.audience, JWT_JWKS_URL: own.keysUrl };
    const service = new Service(environment, 'memory');
    await service.startInSimulatedTime();
    try {
      const person = await service.person('customer');
      const bearer = bearing(service, await own.token({ sub: person.userId }));
      const [answers, milliseconds] = await service.time.during(
        Promise.all([1, 2, 3].map(() => bearer.get('/v1/products'))),
      );
      for (const answer of answers) expectProblem(answer, '503 SERVICE_UNAVAILABLE');
      expect(milliseconds).to.be.within(2_900, 4_500);
      expect((await person.get('/v1/products')).status).to.equal(200);
      expect(own.asked).to.equal(1);
      own.isSilent = false;
      await service.until(
        () => bearer.get('/v1/products'),
        ({ status }) => status === 200,
      );
      await own.stop();
      // Keys that are cached stay valid.
      const other = await service.person('customer');
      const later = bearing(service, await own.token({ sub: other.userId }));
      expect((await later.get('/v1/products')).status).to.equal(200);
    } finally {
      await service.end();
      await own.stop();
    }
  });
});
