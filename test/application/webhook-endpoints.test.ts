import { expect } from 'chai';
import type { ChangeEndpoint } from '#application/use-cases/webhook-endpoints.ts';
import type { ShownEndpoint } from '#application/webhooks/shown-endpoints.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint, type WebhookEndpointDetails } from '#domain/webhooks/endpoint.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { hour, nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

const url = 'https://example.com/webhooks';
const expectedVersions = undefined;

describe('Webhook endpoints', () => {
  const world = ofEachTest(aWorld);

  const create = (details: Partial<WebhookEndpointDetails> = {}, caller = world.admin) =>
    world.run(world.useCases.webhookEndpoints.create, caller, {
      ...{ url, ...WebhookEndpoint.defaults, ...details },
    });
  const newEndpoint = async (details: Partial<WebhookEndpointDetails> = {}): Promise<ShownEndpoint> =>
    (await create(details)).endpoint;
  const get = ({ id }: Pick<ShownEndpoint, 'id'>) =>
    world.read(world.useCases.webhookEndpoints.get, world.staff, id);
  const change = (
    { id }: Pick<ShownEndpoint, 'id'>,
    changes: ChangeEndpoint['changes'],
    more: Partial<ChangeEndpoint> = {},
  ): Promise<ShownEndpoint> =>
    world.run(world.useCases.webhookEndpoints.change, world.admin, {
      ...{ id, expectedVersions, changes, ...more },
    });
  const remove = ({ id }: Pick<ShownEndpoint, 'id'>) =>
    world.run(world.useCases.webhookEndpoints.remove, world.admin, { id, expectedVersions });
  const feed = () => world.unitOfWork.read(({ events }) => events.feed());

  /** A delivery that is due, as the dispatcher makes it. */
  const newDelivery = async ({ id: endpointId }: ShownEndpoint, sequence = 1): Promise<WebhookDelivery> => {
    const delivery = WebhookDelivery.create(
      world.newId(),
      { endpointId, eventId: world.newId(), eventType: 'order.paid', sequence, trigger: 'event' },
      world.clock.now(),
    );
    await world.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.add(delivery));
    return delivery;
  };

  const failedFor = ({ id }: ShownEndpoint) =>
    world.unitOfWork.run(async ({ endpointPositions }) => {
      const progress = await endpointPositions.lock(id);
      if (progress === undefined) throw new Error('An endpoint has its progress.');
      const failingSince = world.clock.now();
      await endpointPositions.save({ ...progress, version: progress.version + 1, failures: 3, failingSince });
    });

  it('begin at the end of the feed, with a secret that is shown once', async () => {
    await world.product();
    const { last } = await feed();
    expect(last).to.be.above(0);
    const { endpoint, secret } = await create();
    expect(endpoint).to.deep.include({
      ...{ url, eventTypes: ['*'], description: null, ordering: 'parallel', payload: 'full' },
      ...{ status: 'enabled', disabledReason: null, position: last, failingSince: null, version: 1 },
    });
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint.secrets.map(({ hint }) => hint)).to.deep.equal([`${secret.slice(0, 10)}…`]);
    expect(await get(endpoint)).to.deep.equal(endpoint);
    expect((await create()).secret).to.not.equal(secret);
  });

  it('are read by staff, and changed by administrators with the scope', async () => {
    const endpoint = await newEndpoint();
    const { list, get: getOne, change: changeOne, remove: removeOne } = world.useCases.webhookEndpoints;
    expect((await world.read(list, world.staff, page)).rows).to.deep.equal([endpoint]);
    const { id } = endpoint;
    expect(await kindOf(world.read(list, world.ada, page))).to.equal('forbidden');
    expect(await kindOf(world.read(getOne, world.ada, id))).to.equal('forbidden');
    expect(await kindOf(create({}, world.staff))).to.equal('forbidden');
    const reader = await world.person('admin', ['webhook-endpoints:read']);
    expect(await kindOf(create({}, reader))).to.equal('forbidden');
    for (const caller of [world.staff, reader]) {
      const changing = world.run(changeOne, caller, { id, expectedVersions, changes: {} });
      expect(await kindOf(changing)).to.equal('forbidden');
      expect(await kindOf(world.run(removeOne, caller, { id, expectedVersions }))).to.equal('forbidden');
    }
  });

  it('need a URL that may be called, and 1 to 50 types', async () => {
    for (const bad of [
      'http://example.com',
      'https://10.0.0.1',
      'https://example.com:25',
      'ftp://example.com',
    ])
      expect(await invalidFieldsOf(create({ url: bad })), bad).to.deep.equal(['url']);
    expect(await invalidFieldsOf(create({ eventTypes: [] }))).to.deep.equal(['eventTypes']);
    const many = (count: number) => Array.from({ length: count }, () => 'order.*' as const);
    expect(await invalidFieldsOf(create({ eventTypes: many(51) }))).to.deep.equal(['eventTypes']);
    expect((await newEndpoint({ eventTypes: many(50) })).eventTypes).to.deep.equal(['order.*']);
    const endpoint = await newEndpoint();
    expect(await invalidFieldsOf(change(endpoint, { url: 'https://[::1]' }))).to.deep.equal(['url']);
    expect(await get(endpoint)).to.deep.equal(endpoint);
  });

  it('are twenty at most, also when several are created at once', async () => {
    for (let count = 0; count < 18; count += 1) await create();
    const created = await Promise.allSettled([create(), create(), create(), create()]);
    expect(created.map(({ status }) => status).toSorted()).to.deep.equal([
      ...['fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ]);
    expect(await kindOf(create())).to.equal('conflict');
    const [first] = (await world.read(world.useCases.webhookEndpoints.list, world.staff, page)).rows;
    await remove(first ?? expect.fail('There is none.'));
    await create();
  });

  it('change with a new version, and only what is given', async () => {
    const endpoint = await newEndpoint();
    world.clock.pass(hour);
    const changed = await change(endpoint, { description: 'ERP', eventTypes: ['order.paid', 'order.paid'] });
    expect(changed).to.deep.equal({
      ...endpoint,
      ...{ description: 'ERP', eventTypes: ['order.paid'], version: 2, updatedAt: world.clock.now() },
    });
    expect(await change(endpoint, {})).to.deep.equal(changed);
    const late = change(endpoint, { payload: 'thin' }, { expectedVersions: [1] });
    expect(await kindOf(late)).to.equal('precondition-failed');
    expect(await kindOf(change({ id: nowhere() }, {}))).to.equal('not-found');
  });

  it('take a position that the feed has, which is no part of their version', async () => {
    const endpoint = await newEndpoint();
    const { last } = await feed();
    for (const position of [0, last, 1]) {
      expect(await change(endpoint, { position })).to.deep.equal({ ...endpoint, position });
      expect(await get(endpoint)).to.deep.equal({ ...endpoint, position });
    }
    for (const position of [last + 1, -1])
      expect(await invalidFieldsOf(change(endpoint, { position })), `${position}`).to.deep.equal([
        'position',
      ]);
    expect((await get(endpoint)).position).to.equal(1);
  });

  it('take no position whose next events are deleted', async () => {
    await world.product();
    const endpoint = await newEndpoint();
    world.clock.pass(hour);
    await world.product();
    const before = await feed();
    const kept = endpoint.updatedAt;
    await world.unitOfWork.run(({ events }) => events.deleteOlder(world.clock.now(), world.clock.now()));
    const { first } = await feed();
    expect(first).to.be.above(before.first);
    expect(await invalidFieldsOf(change(endpoint, { position: first - 2 }))).to.deep.equal(['position']);
    expect((await change(endpoint, { position: first - 1 })).position).to.equal(first - 1);
    expect((await get(endpoint)).updatedAt).to.equal(kept);
  });

  it('are delivered in order again once their position is set back: what was enqueued behind it is canceled', async () => {
    await world.product();
    const endpoint = await newEndpoint();
    const { last } = await feed();
    const [before, behind] = [await newDelivery(endpoint, last - 1), await newDelivery(endpoint, last)];
    await change(endpoint, { position: last });
    expect(await world.current('webhookDeliveries', behind)).to.deep.equal(behind);
    await change(endpoint, { position: last - 1 });
    expect(await world.current('webhookDeliveries', behind)).to.include({ status: 'canceled' });
    expect(await world.current('webhookDeliveries', before)).to.deep.equal(before);
  });

  it('are disabled by hand, and hold their deliveries back until they are enabled', async () => {
    const endpoint = await newEndpoint();
    const other = await newEndpoint();
    const [held, untouched] = [await newDelivery(endpoint), await newDelivery(other)];
    await failedFor(endpoint);
    const disabled = await change(endpoint, { status: 'disabled' });
    expect(disabled).to.include({ status: 'disabled', disabledReason: 'by_hand', version: 2 });
    expect(disabled.failingSince).to.equal(world.clock.now());
    expect(await world.current('webhookDeliveries', held)).to.include({
      ...{ status: 'pending', nextAttemptAt: null, version: 2 },
    });
    world.clock.pass(hour);
    const enabled = await change(endpoint, { status: 'enabled' });
    expect(enabled).to.include({ status: 'enabled', disabledReason: null, failingSince: null, version: 3 });
    expect(await world.current('webhookDeliveries', held)).to.include({
      ...{ status: 'pending', nextAttemptAt: world.clock.now() },
    });
    expect(await world.current('webhookDeliveries', untouched)).to.deep.equal(untouched);
  });

  it('change status and position in one request', async () => {
    const endpoint = await newEndpoint();
    await change(endpoint, { status: 'disabled' });
    await failedFor(endpoint);
    expect(await change(endpoint, { status: 'enabled', position: 1 })).to.include({
      ...{ status: 'enabled', position: 1, failingSince: null },
    });
    expect(await get(endpoint)).to.include({ position: 1, failingSince: null });
  });

  it('forget failures at another URL', async () => {
    const endpoint = await newEndpoint();
    await failedFor(endpoint);
    expect((await change(endpoint, { description: 'ERP' })).failingSince).to.equal(world.clock.now());
    const moved = await change(endpoint, { url: 'https://example.com/new' });
    expect(moved.failingSince).to.equal(null);
    expect((await get(endpoint)).failingSince).to.equal(null);
  });

  it('make what waits at once when their ordering changes, unless they are disabled', async () => {
    const endpoint = await newEndpoint();
    const delivery = await newDelivery(endpoint);
    world.clock.pass(hour);
    await change(endpoint, { ordering: 'sequential' });
    const nextAttemptAt = world.clock.now();
    expect(await world.current('webhookDeliveries', delivery)).to.include({ nextAttemptAt });
    await change(endpoint, { status: 'disabled' });
    await change(endpoint, { ordering: 'parallel' });
    expect(await world.current('webhookDeliveries', delivery)).to.include({ nextAttemptAt: null });
  });

  it('keep the reason for which they were disabled when they are disabled again', async () => {
    const endpoint = await newEndpoint();
    await world.unitOfWork.run(async ({ webhookEndpoints }) => {
      const found = (await webhookEndpoints.lock(endpoint.id)) ?? expect.fail('It is there.');
      await webhookEndpoints.save(WebhookEndpoint.disable(found, 'gone', world.clock.now()));
    });
    expect(await change(endpoint, { status: 'disabled' })).to.include({ disabledReason: 'gone' });
  });

  it('tell what has changed of them, though their progress has their id', async () => {
    const { id } = await newEndpoint();
    const { last: after } = await feed();
    await world.unitOfWork.run(async ({ webhookEndpoints, endpointPositions }) => {
      const found = (await webhookEndpoints.lock(id)) ?? expect.fail('It is there.');
      await endpointPositions.lock(id);
      await webhookEndpoints.save(WebhookEndpoint.disable(found, 'gone', world.clock.now()));
    });
    const { rows } = await world.unitOfWork.read(({ events }) => events.page({}, { after, limit: 10 }));
    expect(rows.map(({ type }) => type)).to.deep.equal(['webhook_endpoint.disabled']);
    expect(rows[0]?.changed).to.include.members(['status', 'version']).and.not.include('url');
  });

  it('cancel what they have not received when they are deleted', async () => {
    const [endpoint, other] = [await newEndpoint(), await newEndpoint()];
    const [pending, untouched] = [await newDelivery(endpoint), await newDelivery(other)];
    await remove(endpoint);
    expect(await kindOf(get(endpoint))).to.equal('not-found');
    expect(await world.find('endpointPositions', endpoint)).to.equal(undefined);
    expect(await world.current('webhookDeliveries', pending)).to.include({
      ...{ status: 'canceled', nextAttemptAt: null },
    });
    expect(await world.current('webhookDeliveries', untouched)).to.deep.equal(untouched);
    expect(await kindOf(remove(endpoint))).to.equal('not-found');
  });

  it('are told of in events, without what is no part of their version', async () => {
    const { last } = await feed();
    const endpoint = await newEndpoint();
    await change(endpoint, { position: 0 });
    await change(endpoint, { status: 'disabled' });
    await change(endpoint, { status: 'enabled' });
    await remove(endpoint);
    const { rows } = await world.unitOfWork.read(({ events }) => events.page({}, { after: last, limit: 9 }));
    expect(rows.map(({ type }) => type)).to.deep.equal([
      'webhook_endpoint.created',
      'webhook_endpoint.disabled',
      'webhook_endpoint.updated',
      'webhook_endpoint.deleted',
    ]);
    for (const { data } of rows) {
      expect(data).to.have.property('url', url);
      expect(data).to.not.have.any.keys('position', 'failingSince', 'sealedSecrets', 'secret');
    }
  });
});
