import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { expectList, expectNoContent, expectOne } from '../support/expectations.ts';
import { expectProblem } from '../support/protocol.ts';
import { type Service, type ServiceSuite, serviceSuite } from '../support/service.ts';
import { newProduct } from '../support/shop.ts';
import { provider, provisioning, usersWith, visitor } from '../support/visitors.ts';

/** Sends a request that needs a caller, and finds out whose it is. */
const ownerOf = async (service: Service, client: Client): Promise<string> => {
  const product = await newProduct(service);
  const placed = await client.post('/v1/orders', { product_id: product.id, quantity: 1 });
  expect(placed.status, placed.text).to.equal(201);
  return placed.body.data.user_id;
};

export const describeVisitors: ServiceSuite = (kinds) => {
  describe('With JWT_PROVISION', () => {
    before(() => provider.start());
    after(() => provider.stop());

    serviceSuite(
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
          const signedUp = await service.until(
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
    )(kinds);
  });
};
