import { expect } from 'chai';
import { Client } from '../../http/support/client.ts';
import { expectList } from '../../http/support/expectations.ts';
import { IdentityProvider } from '../../http/support/identity-provider.ts';
import { Apps } from '../support/apps.ts';
import { describeOnEach } from '../support/places.ts';

describeOnEach('Two servers of one database at which people sign up at once', (place) => {
  const provider = new IdentityProvider();
  const apps = new Apps();
  before(async () => {
    await provider.start();
    await apps.startMany(2, {
      DATABASE_URL: place.url,
      JWT_ISSUER: provider.issuer,
      JWT_AUDIENCE: provider.audience,
      JWT_JWKS_URL: provider.keysUrl,
      JWT_PROVISION: '1',
    });
  });
  after(async () => {
    await apps.end();
    await provider.stop();
  });

  it('create one customer of each, whom all their subjects and tokens stand for', async () => {
    const people = ['ada', 'bob', 'eve'];
    const requests = people.flatMap((person) =>
      Array.from({ length: 12 }, (_, index) => ({
        index,
        claims: {
          ...{ sub: `${person}-${index % 3}`, jti: `${index}` },
          ...{ email: `${person}@example.com`, email_verified: true },
        },
      })),
    );
    const statuses = await Promise.all(
      requests.map(async ({ index, claims }) => {
        const token = await provider.token(claims);
        return (await new Client(() => apps.at(index).base, token).get('/v1/orders')).status;
      }),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    for (const person of people) {
      const found = expectList(await apps.at(0).get(`/v1/users?email=${person}@example.com`));
      expect(found).to.have.lengthOf(1);
    }
  });
});
