import { expect } from 'chai';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import {
  type EndpointSecret,
  WebhookEndpoint,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '#domain/webhooks/endpoint.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { nowhere } from './fixture.ts';

type Shop = Awaited<ReturnType<typeof testShop>>;

const expectedVersions = undefined;
const second = 1_000;
const day = 86_400 * second;

describe('The secrets of a webhook endpoint', () => {
  let shop: Shop;
  let endpointId: WebhookEndpointId;
  let first: string;

  beforeEach(async () => {
    shop = await testShop();
    const details = { url: 'https://example.com', ...WebhookEndpoint.defaults };
    const { endpoint, secret } = await shop.run(shop.useCases.webhookEndpoints.create, shop.admin, details);
    endpointId = endpoint.id;
    first = secret;
  });

  const add = (previousExpiresIn?: number, caller = shop.admin) =>
    shop.run(shop.useCases.webhookSecrets.add, caller, {
      ...{ endpointId, ...(previousExpiresIn !== undefined && { previousExpiresIn }) },
    });
  const list = async (limit = 10): Promise<readonly EndpointSecret[]> =>
    (await shop.run(shop.useCases.webhookSecrets.list, shop.staff, { endpointId, page: { limit } })).rows;
  const remove = ({ id }: Pick<EndpointSecret, 'id'>, more = {}) =>
    shop.run(shop.useCases.webhookSecrets.remove, shop.admin, {
      ...{ endpointId, id, expectedVersions, ...more },
    });
  const endpoint = async (): Promise<WebhookEndpoint> =>
    (await shop.unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(endpointId))) ??
    expect.fail('The endpoint is there.');

  /** The secrets that sign now, as the dispatcher gets them. */
  const signing = async (): Promise<readonly string[]> =>
    Promise.all(
      WebhookEndpoint.validSecrets(await endpoint(), shop.now()).map(({ id, sealed }) =>
        shop.ports.webhooks.box.open(sealed, { ownerId: endpointId, secretId: id }),
      ),
    );

  it('are stored encrypted, and never in plain', async () => {
    const stored = JSON.stringify(await endpoint());
    expect(stored).to.not.include(first.slice('whsec_'.length));
    expect(await signing()).to.deep.equal([first]);
  });

  it('sign together for a day after a rotation, the newest first', async () => {
    const { secret, ...added } = await add();
    expect(added).to.include({ expiresAt: null, version: 1, hint: `${secret.slice(0, 10)}…` });
    expect(await signing()).to.deep.equal([secret, first]);
    const [old, newest] = await list();
    expect(newest).to.deep.equal(added);
    expect(old).to.include({ version: 2 });
    shop.advance(day - 1);
    expect(await signing()).to.deep.equal([secret, first]);
    shop.advance(1);
    expect(await signing()).to.deep.equal([secret]);
  });

  it('are two at most: of three the oldest signs no more', async () => {
    const { secret: two } = await add(100);
    const { secret: three } = await add(50);
    expect(await list()).to.have.lengthOf(2);
    expect(await signing()).to.deep.equal([three, two]);
    const { secret: four } = await add(0);
    expect(await signing()).to.deep.equal([four]);
    expect(await list()).to.have.lengthOf(1);
  });

  it('overlap for 0 to 604800 seconds', async () => {
    for (const bad of [-1, 604_801, 0.5])
      expect(await invalidFieldsOf(add(bad)), `${bad}`).to.deep.equal(['previousExpiresIn']);
    await add(604_800);
    shop.advance(604_800 * second - 1);
    expect(await signing()).to.have.lengthOf(2);
  });

  it('are read by staff, and changed by administrators', async () => {
    const [{ id }] = (await list()) as readonly [EndpointSecret];
    const { webhookSecrets } = shop.useCases;
    expect(await shop.run(webhookSecrets.get, shop.staff, { endpointId, id })).to.deep.equal(
      (await list())[0],
    );
    expect(
      await kindOf(shop.run(webhookSecrets.get, shop.staff, { endpointId, id: nowhere<WebhookSecretId>() })),
    ).to.equal('not-found');
    expect(await kindOf(shop.run(webhookSecrets.get, shop.customer, { endpointId, id }))).to.equal(
      'forbidden',
    );
    const elsewhere = { endpointId: nowhere<WebhookEndpointId>(), page: { limit: 1 } };
    expect(await kindOf(shop.run(webhookSecrets.list, shop.staff, elsewhere))).to.equal('not-found');
    expect(await kindOf(add(0, shop.staff))).to.equal('forbidden');
    const removing = shop.run(webhookSecrets.remove, shop.staff, { endpointId, id, expectedVersions });
    expect(await kindOf(removing)).to.equal('forbidden');
  });

  it('are listed page by page, in either order', async () => {
    await add();
    const all = await list();
    expect(all).to.have.lengthOf(2);
    for (const order of ['ascending', 'descending'] as const) {
      const expected = order === 'ascending' ? all : all.toReversed();
      const page = (after?: EndpointSecret['id']) =>
        shop.run(shop.useCases.webhookSecrets.list, shop.staff, {
          endpointId,
          page: { limit: 1, order, after },
        });
      const begin = await page();
      expect(begin).to.deep.equal({ rows: expected.slice(0, 1), hasMore: true });
      expect(await page(begin.rows[0]?.id)).to.deep.equal({ rows: expected.slice(1), hasMore: false });
    }
  });

  it('are deleted one by one, but not the last', async () => {
    const [old] = (await list()) as readonly [EndpointSecret];
    expect(await kindOf(remove(old))).to.equal('conflict');
    const { secret } = await add();
    expect(await kindOf(remove(old, { expectedVersions: [1] }))).to.equal('precondition-failed');
    await remove(old, { expectedVersions: [2] });
    expect(await signing()).to.deep.equal([secret]);
    expect(await kindOf(remove(old))).to.equal('not-found');
  });

  it('no longer expire when the newer one is deleted', async () => {
    const added = await add(100);
    await remove(added);
    expect((await list()).map(({ expiresAt }) => expiresAt)).to.deep.equal([null]);
    shop.advance(day);
    expect(await signing()).to.deep.equal([first]);
  });

  it('that have expired do not take the place of the last one', async () => {
    const added = await add(100);
    shop.advance(day);
    expect(await kindOf(remove(added))).to.equal('conflict');
    expect(await signing()).to.deep.equal([added.secret]);
  });

  it('change the version of the endpoint, with an event that tells of no secret', async () => {
    const { last } = await shop.unitOfWork.read(({ events }) => events.feed());
    const { secret } = await add();
    expect(await endpoint()).to.include({ version: 2 });
    const { rows } = await shop.unitOfWork.read(({ events }) => events.page({}, { after: last, limit: 9 }));
    expect(rows.map(({ type }) => type)).to.deep.equal(['webhook_endpoint.updated']);
    expect(rows[0]?.changed).to.include('secrets');
    const told = JSON.stringify(rows);
    for (const one of [first, secret]) expect(told).to.not.include(one.slice('whsec_'.length));
    expect(rows[0]?.data).to.not.have.property('sealedSecrets');
  });
});
