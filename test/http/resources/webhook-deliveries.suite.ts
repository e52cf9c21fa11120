import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectList,
  expectNoContent,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { expectReplay } from '../support/replays.ts';
import { registered, serviceSuite } from '../support/service.ts';
import { newProduct, nowhere, once } from '../support/shop.ts';
import { newDisabledEndpoint, newEndpoint, webhookSettings } from '../support/webhooks.ts';

const path = '/v1/webhook-deliveries';

export const describeDelivery = serviceSuite('A webhook delivery', webhookSettings, (service) => {
  const admin = service.operator;
  const staff = registered(service, 'staff');
  let endpoint: Json;

  before(async () => {
    endpoint = await newDisabledEndpoint(admin);
  });

  /** The newest event, once it is numbered. */
  const eventOf = async ({ id }: Json): Promise<Json> => {
    const read = async () => (await staff.get('/v1/events?type=product.created&limit=100')).body.data;
    const events = await service.until(read, (all) => all.some(({ subject }: Json) => subject.id === id));
    return events.find(({ subject }: Json) => subject.id === id);
  };

  it('of an event is made on request, once for a key, and found by each filter', async () => {
    const event = await eventOf(await newProduct(service));
    const body = { endpoint_id: endpoint.id, event_id: event.id };
    const response = await admin.post(path, body, once('again'));
    const { id, created_at, updated_at, ...fields } = expectCreated(response, path);
    expect(fields).to.deep.equal({
      ...{ endpoint_id: endpoint.id, event_id: event.id, event_type: 'product.created' },
      ...{ sequence: event.sequence, status: 'pending', trigger: 'manual', attempt_count: 0 },
      ...{ next_attempt_at: null, attempts: [], version: 1 },
    });
    expectReplay(await admin.post(path, body, once('again')), response);
    expect(expectOne(await staff.get(`${path}/${id}`))).to.deep.equal(response.body.data);
    for (const query of [
      `event_id=${event.id}`,
      `endpoint_id=${endpoint.id}&event_id=${event.id}`,
      `status=pending&event_id=${event.id}`,
    ])
      expect(idsOf(expectList(await staff.get(`${path}?${query}`))), query).to.deep.equal([id]);
    for (const query of [`endpoint_id=${nowhere}`, `status=failed&event_id=${event.id}`])
      expect(expectList(await staff.get(`${path}?${query}`)), query).to.deep.equal([]);
  });

  it('of an example has an id that no event has', async () => {
    const body = { endpoint_id: endpoint.id, event_type: 'order.paid' };
    const delivery = expectCreated(await admin.post(path, body), path);
    expect(delivery).to.include({ event_type: 'order.paid', sequence: null, trigger: 'test' });
    expectError(await staff.get(`/v1/events/${delivery.event_id}`), 'NOT_FOUND');
  });

  it('is canceled with its endpoint, and outlives it', async () => {
    const { id } = await newDisabledEndpoint(admin);
    const body = { endpoint_id: id, event_type: 'order.paid' };
    const delivery = expectCreated(await admin.post(path, body), path);
    expectNoContent(await admin.delete(`/v1/webhook-endpoints/${id}`));
    const canceled = expectOne(await staff.get(`${path}/${delivery.id}`));
    expect(canceled).to.include({ status: 'canceled', next_attempt_at: null, version: 2 });
    expect(expectList(await staff.get(`${path}?endpoint_id=${id}&status=canceled`))).to.deep.equal([
      canceled,
    ]);
    expectError(await admin.post(path, body), 'NOT_FOUND');
  });

  it('of an enabled endpoint shows its attempts', async () => {
    const { id } = await newEndpoint(admin, { event_types: ['review.created'] });
    const body = { endpoint_id: id, event_type: 'order.paid' };
    const delivery = expectCreated(await admin.post(path, body), path);
    const read = async () => expectOne(await staff.get(`${path}/${delivery.id}`));
    const tried = await service.until(read, ({ attempt_count }) => attempt_count > 0, 20_000);
    expect(tried).to.include({ status: 'pending', attempt_count: 1 });
    const [{ at, duration_ms, ...attempt }] = tried.attempts;
    expect(attempt).to.deep.equal({ status_code: null, error: 'address_rejected' });
    expect(Date.parse(at)).to.be.at.least(Date.parse(delivery.created_at) - 1_000);
    expect(duration_ms).to.be.at.least(0);
    expect(Date.parse(tried.next_attempt_at)).to.be.within(Date.parse(at) + 5_000, Date.parse(at) + 20_000);
  });
});
