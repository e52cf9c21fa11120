import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { Client, Json } from '../support/client.ts';
import { expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { describeLimits, describeReadOnly, orNull, textLimit } from '../support/limits.ts';
import { expectReplay } from '../support/replays.ts';
import { describeService } from '../support/service.ts';
import { newProduct, nowhere, once } from '../support/shop.ts';
import { deleteEndpoints, newDisabledEndpoint, receiverUrl, webhookSettings } from '../support/webhooks.ts';
import { describeEndpointWithoutKey, describeWebhookEndpoint } from './webhook-endpoints.suite.ts';

describeWebhookEndpoint(localKinds);
describeEndpointWithoutKey(localKinds);

const path = '/v1/webhook-endpoints';
const at = ({ id }: Json): string => `${path}/${id}`;

describeService('Webhook endpoints', webhookSettings, (service) => {
  let admin: Client;
  let kept: Json;

  before(async () => {
    admin = service.operator;
  });

  beforeEach(async () => {
    await deleteEndpoints(service);
    kept = await newDisabledEndpoint(admin);
  });

  const send = async (body: Json) => {
    const response = await admin.post(path, { url: receiverUrl, ...body });
    if (response.status === 201) await admin.delete(at(response.body.data));
    return response;
  };

  const fifty = Array.from({ length: 50 }, (_, place) => (place % 2 === 0 ? 'order.*' : 'payment.*'));

  describeLimits(
    {
      description: orNull(textLimit(0, 200)),
      ordering: { accepts: ['parallel', 'sequential'], rejects: ['random', null, 1] },
      payload: { accepts: ['full', 'thin'], rejects: ['', null, true] },
      event_types: {
        accepts: [['*'], ['order.*', 'order.paid'], ['webhook_endpoint.disabled']],
        rejects: [[], [...fifty, '*'], '*', null, {}],
      },
      url: {
        accepts: [
          ...[receiverUrl, 'https://localhost', 'HTTPS://localhost/a?b=c'],
          `https://localhost/${'x'.repeat(2_030)}`,
        ],
        rejects: [
          ...[null, '', 7, 'localhost', 'ftp://localhost', 'http://localhost'],
          ...['https://u:p@localhost', 'https://u@localhost', 'https://localhost/#a'],
          ...[
            'https://127.0.0.1',
            'https://[::1]',
            'https://10.1.2.3/',
            'https://2130706433',
            'https://0x7f.1',
          ],
          ...['https://[::ffff:127.0.0.1]', 'https://169.254.169.254/latest', 'https://localhost:22'],
          `https://localhost/${'x'.repeat(2_031)}`,
        ],
      },
    },
    {},
    send,
  );

  const readOnly = ['status', 'disabled_reason', 'position', 'failing_since', 'secrets', 'secret'];
  describeReadOnly(readOnly, {}, send);

  it('need a URL, and types that are known', async () => {
    expectInvalid(await admin.post(path, {}), 'url');
    expectInvalid(
      await send({ event_types: ['order.*', 'order', 'order.sold'] }),
      'event_types.1',
      'event_types.2',
    );
    expect((await send({ event_types: fifty })).body.data.event_types).to.deep.equal([
      'order.*',
      'payment.*',
    ]);
  });

  it('reject changes as they reject creations, and stay as they are', async () => {
    for (const [field, value] of [
      ['url', 'https://127.0.0.1'],
      ['event_types', []],
      ['status', 'paused'],
      ['status', null],
      ['position', -1],
      ['position', 0.5],
      ['position', null],
      ['description', 7],
    ] as const)
      expectInvalid(await admin.patch(at(kept), { [field]: value }), field);
    for (const field of ['disabled_reason', 'failing_since', 'secrets', 'secret', 'id'])
      expectInvalid(await admin.patch(at(kept), { [field]: null }), field);
    expect(expectOne(await admin.get(at(kept)))).to.deep.equal(kept);
    expectError(await admin.patch(`${path}/${nowhere}`, {}), 'NOT_FOUND');
  });

  it('take the position at the end of the feed, and none beyond', async () => {
    await newProduct(service);
    const feed = await admin.get('/v1/events?limit=100');
    const { sequence } = feed.body.data.at(-1);
    expect(expectOne(await admin.patch(at(kept), { position: sequence })).position).to.equal(sequence);
    expectInvalid(await admin.patch(at(kept), { position: sequence + 1 }), 'position');
  });

  it('are deleted with the same response to a repetition of a creation', async () => {
    const first = await admin.post(path, { url: receiverUrl }, once('gone'));
    await admin.delete(at(first.body.data));
    const { secret: _, ...shown } = first.body.data;
    const replay = await admin.post(path, { url: receiverUrl }, once('gone'));
    expectReplay(replay, { ...first, body: { data: shown }, text: JSON.stringify({ data: shown }) });
  });
});
