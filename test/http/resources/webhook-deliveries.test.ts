import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { Client } from '../support/client.ts';
import { expectError, expectInvalid, expectList } from '../support/expectations.ts';
import { describeService } from '../support/service.ts';
import { nowhere } from '../support/shop.ts';
import { newDisabledEndpoint, webhookSettings } from '../support/webhooks.ts';
import { describeDelivery } from './webhook-deliveries.suite.ts';

describeDelivery(localKinds);

const path = '/v1/webhook-deliveries';

describeService('Webhook deliveries', webhookSettings, (service) => {
  let admin: Client;
  let endpoint_id: string;

  before(async () => {
    admin = service.operator;
    endpoint_id = (await newDisabledEndpoint(admin)).id;
  });

  it('need an endpoint, and either an event that is kept or a type', async () => {
    expectInvalid(await admin.post(path, { endpoint_id }), 'event_type');
    expectInvalid(await admin.post(path, { event_type: 'order.paid' }), 'endpoint_id');
    expectInvalid(await admin.post(path, { event_id: nowhere }), 'endpoint_id');
    const both = { endpoint_id, event_type: 'order.paid', event_id: nowhere };
    expectInvalid(await admin.post(path, both), 'event_id');
    expectError(await admin.post(path, { endpoint_id, event_id: nowhere }), 'NOT_FOUND');
    expectError(await admin.post(path, { endpoint_id: nowhere, event_type: 'order.paid' }), 'NOT_FOUND');
    for (const event_type of ['order.*', '*', 'order', null, 1])
      expectInvalid(await admin.post(path, { endpoint_id, event_type }), 'event_type');
    for (const event_id of ['1', null, 1])
      expectInvalid(await admin.post(path, { endpoint_id, event_id }), 'event_id');
    const more = { endpoint_id, event_type: 'order.paid', status: 'succeeded', trigger: 'event' };
    expectInvalid(await admin.post(path, more), 'status', 'trigger');
    expect(expectList(await admin.get(path))).to.deep.equal([]);
  });
});
