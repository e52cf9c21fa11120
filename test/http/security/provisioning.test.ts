import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { localKinds } from '../../support/test-databases.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { provider, provisioning, usersWith, visitor } from '../support/visitors.ts';
import { describeVisitors } from './provisioning.suite.ts';

describeVisitors(localKinds);

describe('With JWT_PROVISION', () => {
  before(() => provider.start());
  after(() => provider.stop());

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
