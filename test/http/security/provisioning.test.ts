import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { until } from '../../support/until.ts';
import { Client, type Json } from '../support/client.ts';
import { expectList, expectNoContent, expectOne } from '../support/expectations.ts';
import { IdentityProvider } from '../support/identity-provider.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceOnEachStore, describeServiceOnMemory, type Service } from '../support/service.ts';
import { newProduct } from '../support/shop.ts';

const provider = new IdentityProvider();

const provisioning = (more: Readonly<Record<string, string>> = {}) => ({
  JWT_ISSUER: provider.issuer,
  JWT_AUDIENCE: provider.audience,
  get JWT_JWKS_URL() {
    return provider.keysUrl;
  },
  JWT_PROVISION: '1',
  ...more,
});

let people = 0;

/** A person whom the provider knows, and a client with their token. */
const visitor = async (service: Service, claims: JWTPayload = {}) => {
  people += 1;
  const stated = { sub: `subject-${people}`, email: `visitor-${people}@example.com`, email_verified: true };
  const all = { ...stated, name: `Visitor ${people}`, ...claims };
  const client = new Client(() => service.url, await provider.token(all));
  return { ...all, client };
};

const usersWith = async (service: Service, email: string): Promise<readonly Json[]> =>
  expectList(await service.operator.get(`/v1/users?email=${encodeURIComponent(email)}`));

/** Sends a request that needs a caller, and finds out whose it is. */
const ownerOf = async (service: Service, client: Client): Promise<string> => {
  const product = await newProduct(service);
  const placed = await client.post('/v1/orders', { product_id: product.id, quantity: 1 });
  expect(placed.status, placed.text).to.equal(201);
  return placed.body.data.user_id;
};

describe('With JWT_PROVISION', () => {
  before(() => provider.start());
  after(() => provider.stop());

  describeServiceOnEachStore(
    'a valid token with a verified address',
    provisioning({ RECONCILE_AFTER_MS: '500' }),
    (service) => {
      it('makes a customer with its address and name', async () => {
        const { client, email, name } = await visitor(service);
        expect((await client.get('/v1/products')).status).to.equal(200);
        const [user, ...more] = await usersWith(service, email);
        expect(user).to.include({ email, name, role: 'customer' });
        expect(more).to.deep.equal([]);
        expect(await ownerOf(service, client)).to.equal(user?.id);
        expectOne(await client.get(`/v1/users/${user?.id}`));
      });

      it('makes one customer of many first requests, with one token or several', async () => {
        const { client, ...claims } = await visitor(service);
        const tokens = await Promise.all(
          [1, 2, 3, 4].map((jti) => provider.token({ ...claims, jti: `${jti}` })),
        );
        const all = [client, ...tokens.map((token) => new Client(() => service.url, token))];
        const owners = await Promise.all([...all, ...all].map((one) => ownerOf(service, one)));
        expect(new Set(owners).size).to.equal(1);
        expect(await usersWith(service, claims.email)).to.have.lengthOf(1);
      });

      it('acts for the customer with its address, who exists already', async () => {
        const person = await service.person('customer');
        const [known] = expectList(await service.operator.get('/v1/users?limit=100')).filter(
          ({ id }) => id === person.userId,
        );
        const email = `${known?.email}`.toUpperCase();
        const { client } = await visitor(service, { email, name: 'Other' });
        expect(await ownerOf(service, client)).to.equal(person.userId);
        expect(expectOne(await client.get(`/v1/users/${person.userId}`))).to.deep.equal(known);
      });

      it('acts for the same customer when the provider has another address, also an unverified one', async () => {
        const { client, sub } = await visitor(service);
        const owner = await ownerOf(service, client);
        const other = await service.person('customer');
        const [{ email }] = [expectOne(await other.get(`/v1/users/${other.userId}`))];
        for (const claims of [
          { email },
          { email: 'new@example.com', email_verified: false },
          { email: undefined },
        ]) {
          const later = await visitor(service, { sub, ...claims });
          expect(await ownerOf(service, later.client)).to.equal(owner);
        }
      });

      it('is 401 with the address of staff or an administrator, who gets no link', async () => {
        for (const role of ['staff', 'admin'] as const) {
          const person = await service.person(role);
          const { email } = expectOne(await person.get(`/v1/users/${person.userId}`));
          const { client } = await visitor(service, { email });
          for (const _ of ['first', 'second']) {
            const answer = await client.get('/v1/products');
            expectProblem(answer, '401 UNAUTHORIZED');
            expect(answer.headers.has('X-RateLimit-Limit')).to.equal(false);
          }
        }
        const { client } = await visitor(service, { email: 'operator@localhost' });
        expectProblem(await client.get('/v1/products'), '401 UNAUTHORIZED');
      });

      it('makes another customer once the first is erased, and acts for none until then', async () => {
        const { client, sub, email } = await visitor(service);
        expect((await client.get('/v1/products')).status).to.equal(200);
        const [first] = await usersWith(service, email);
        const begun = await service.operator.post('/v1/erasures', { user_id: first?.id });
        expect(begun.status, begun.text).to.equal(201);
        const signedUp = await until(
          async () => {
            const again = await visitor(service, { sub, email });
            const { status } = await again.client.get('/v1/products');
            expect(status).to.be.oneOf([200, 401]);
            return status;
          },
          (status) => status === 200,
        );
        expect(signedUp).to.equal(200);
        const [second] = await usersWith(service, email);
        expect(second?.id).to.be.a('string').and.not.equal(first?.id);
        expect(expectOne(await service.operator.get(`/v1/users/${first?.id}`)).status).to.equal('erased');
      });

      it('makes another customer once the first is deleted', async () => {
        const { client, sub, email } = await visitor(service);
        expect((await client.get('/v1/products')).status).to.equal(200);
        const [first] = await usersWith(service, email);
        expectNoContent(await service.operator.delete(`/v1/users/${first?.id}`));
        const again = await visitor(service, { sub, email });
        expect((await again.client.get('/v1/products')).status).to.equal(200);
        const [second] = await usersWith(service, email);
        expect(second?.id).to.be.a('string').and.not.equal(first?.id);
      });
    },
    { credentialTtlMs: 300, erasureQuietMs: 300 },
  );

  describeServiceOnMemory('a token', provisioning({ JWT_TRUST_EMAIL: '1' }), (service) => {
    it('is 401 and makes no customer unless its address is stated to be verified', async () => {
      for (const claims of [
        ...[false, 'false', 0, null, undefined].map((email_verified) => ({ email_verified })),
        ...[undefined, null, 7, '', 'ada', 'ada@', ['ada@example.com'], 'ada@erased.invalid'].map(
          (email) => ({ email }),
        ),
        ...[undefined, '', 'x'.repeat(256), 7, '\0'].map((sub) => ({ sub })),
      ]) {
        const { client, email } = await visitor(service, claims as JWTPayload);
        expectProblem(await client.get('/v1/products'), '401 UNAUTHORIZED');
        if (typeof email === 'string' && email.includes('@example'))
          expect(await usersWith(service, email)).to.deep.equal([]);
      }
    });

    it('may say that it is verified in a text, as some providers do', async () => {
      const { client } = await visitor(service, { email_verified: 'true' });
      expect((await client.get('/v1/products')).status).to.equal(200);
    });

    it('makes a customer with the local part of the address where it has no name', async () => {
      for (const claimed of [undefined, '\u200b', 7, ['Ada']]) {
        const { client, email } = await visitor(service, { name: claimed });
        await client.get('/v1/products');
        const [user] = await usersWith(service, email);
        expect(user?.name).to.equal(email.split('@')[0]);
      }
    });

    it('makes a customer with the name cut to 200 characters, and none of what no name may have', async () => {
      for (const [claimed, name] of [
        ['😀'.repeat(300), '😀'.repeat(200)],
        ['\u00a0 Ada\u0000 \ufeff', 'Ada'],
      ]) {
        const { client, email } = await visitor(service, { name: claimed });
        await client.get('/v1/products');
        expect((await usersWith(service, email))[0]?.name).to.equal(name);
      }
    });
  });

  describeServiceOnMemory(
    'and a claim with the address of another name',
    provisioning({ JWT_USER_CLAIM: 'https://shop.example/email' }),
    (service) => {
      it('a customer has the address and the name that stand beside each other', async () => {
        const { client } = await visitor(service, {
          ...{ email: undefined, email_verified: undefined, name: undefined },
          'https://shop.example/email': 'grace@example.com',
          'https://shop.example/email_verified': true,
          'https://shop.example/name': 'Grace',
        });
        expect((await client.get('/v1/products')).status).to.equal(200);
        expect((await usersWith(service, 'grace@example.com'))[0]?.name).to.equal('Grace');
      });
    },
  );

  describeServiceOnMemory(
    'and a claim with the id',
    provisioning({ JWT_USER_CLAIM: 'shop_id' }),
    (service) => {
      it('a token acts for the user with that id, also for staff, and else for its own customer', async () => {
        const staff = await service.person('staff');
        const named = await visitor(service, { shop_id: staff.userId });
        expect((await named.client.get('/v1/users')).status).to.equal(200);
        const { client, email } = await visitor(service);
        expect((await client.get('/v1/users')).status).to.equal(403);
        expect(await usersWith(service, email)).to.have.lengthOf(1);
      });
    },
  );

  describeServiceOnMemory('the rate limit', provisioning({ RATE_LIMIT_MAX: '5' }), (service) => {
    it('comes first for a subject, and then bounds all new customers together', async () => {
      const { client: refused } = await visitor(service, { email: 'operator@localhost' });
      const statuses: number[] = [];
      for (let count = 0; count < 7; count += 1) statuses.push((await refused.get('/v1/products')).status);
      expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429, 429]);
      const visitors = await Promise.all(Array.from({ length: 7 }, () => visitor(service)));
      const answers = await Promise.all(visitors.map(({ client }) => client.get('/v1/products')));
      // The refused one has used one of five, or two on a slow machine.
      expect(answers.filter(({ status }) => status === 200).length).to.be.within(3, 4);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectProblem(answer, '429 RATE_LIMITED');
    });
  });
});

describe('Without JWT_PROVISION', () => {
  before(() => provider.start());
  after(() => provider.stop());

  describeServiceOnMemory(
    'a token',
    provisioning({ JWT_PROVISION: '0', JWT_USER_CLAIM: 'email' }),
    (service) => {
      it('makes no customer', async () => {
        const { client, email } = await visitor(service);
        expectProblem(await client.get('/v1/products'), '401 UNAUTHORIZED');
        expect(await usersWith(service, email)).to.deep.equal([]);
      });
    },
  );
});
