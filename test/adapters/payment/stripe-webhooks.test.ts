import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import Stripe from 'stripe';
import { eventTypes } from '#adapters/payment/stripe/events/event-types.ts';
import { parseWebhook } from '#adapters/payment/stripe/events/parse-webhook.ts';
import { Instant } from '#domain/instant.ts';
import { signatureOf } from '../../stripe/webhooks/payload.ts';

const now = Date.UTC(2027, 0, 1, 12);
const second = 1_000;
const [first, other, third] = ['whsec_first', 'whsec_other', 'whsec_third'] as const;

const snapshot = (type: string, id: unknown) => ({
  ...{ id: 'evt_1', object: 'event', type },
  data: { object: { id, amount: 1, status: 'succeeded' } },
});
const thin = (type: string, id: unknown) => ({
  ...{ id: 'evt_thin_1', object: 'v2.core.event', type: `v1.${type}` },
  related_object: { id, type: 'refund', url: '/v1/refunds/re_other' },
});

/** Reads what was signed by the official SDK. */
const read = (
  body: string | Uint8Array,
  { signedWith = first as string, age = 0, secrets = [first] as readonly string[], header = '' } = {},
) => {
  const payload = Buffer.from(body);
  const timestamp = (now - age) / second;
  const signature =
    header ||
    Stripe.webhooks.generateTestHeaderString({ payload: `${payload}`, secret: signedWith, timestamp });
  const headers = { 'stripe-signature': signature };
  return parseWebhook({ body: payload, headers }, secrets, Instant.at(now));
};

const event = JSON.stringify(snapshot('refund.failed', 're_1'));
const place = { kind: 'refund', reference: 're_1' };

describe('A message to a webhook endpoint of Stripe', () => {
  it('says where to look, by its type and the id of its object, in both forms', () => {
    for (const type of eventTypes) {
      const [places, same] = [snapshot(type, 'xx_1'), thin(type, 'xx_1')].map((each) =>
        read(JSON.stringify(each)),
      );
      expect(places).to.have.lengthOf(1).and.to.have.nested.property('[0].reference', 'xx_1');
      expect(same).to.deep.equal(places);
    }
  });

  it('says nothing when its type tells nothing of money, or its object has no id of Stripe', () => {
    const messages = [
      snapshot('customer.created', 'cus_1'),
      thin('customer.created', 'cus_1'),
      ...[undefined, null, 1, '', {}, ['re_1'], '../re_1', `re_${'1'.repeat(300)}`].flatMap((id) => [
        snapshot('refund.failed', id),
        thin('refund.failed', id),
      ]),
      ...[{}, [], { type: 'refund.failed' }, { type: 1, data: 2 }, { type: 'refund.failed', data: null }],
      { type: 'refund.failed', data: { object: null }, related_object: null },
    ];
    for (const message of messages) expect(read(JSON.stringify(message))).to.deep.equal([]);
  });

  it('is malformed when Stripe has signed what is no event', () => {
    for (const body of ['{', 'nonsense', '\ufeff{}', 'null', '1', '"event"'])
      expect(read(body), body).to.equal('malformed');
  });

  it('is forged without a valid signature over its bytes', () => {
    const valid = signatureOf(event, [first], now);
    const [time = '', digest = ''] = valid.split(',v1=');
    const headers = [
      ...['nonsense', 't=', 'v1', `v1=${digest}`, time, `${time},v1`, `${time},v1=`, `${time},v0=${digest}`],
      ...[`${time},v1=${digest.slice(1)}`, `${time},v1=${digest}00`, `t=${now},v1=${digest}`],
      ...[`t=NaN,v1=${digest}`, signatureOf(event, [other], now), signatureOf(`${event} `, [first], now)],
      signatureOf(event, [''], now),
    ];
    for (const header of headers) expect(read(event, { header }), header).to.equal('forged');
    for (const body of [`${event} `, event.replace('re_1', 're_2'), `\ufeff${event}`, '', gzipSync(event)])
      expect(read(body, { header: valid }), `${body}`).to.equal('forged');
    const body = Buffer.from(event);
    for (const header of [undefined, '', [valid]])
      expect(
        parseWebhook({ body, headers: { 'stripe-signature': header } }, [first], Instant.at(now)),
      ).to.equal('forged');
    expect(read(event, { header: valid })).to.deep.equal([place]);
  });

  it('is forged when its bytes are no UTF-8, whatever they would be taken for', () => {
    const body = Buffer.from([0x7b, 0xff, 0x7d]);
    expect(read(body)).to.equal('forged');
    // The SDK would verify the text in which the byte was replaced.
    expect(read('{\ufffd}')).to.equal('malformed');
  });

  it('is read up to 300 seconds behind its signature, and is stale then', () => {
    expect(read(event, { age: 300 * second })).to.deep.equal([place]);
    expect(read(event, { age: 301 * second })).to.equal('stale');
    expect(read(event, { age: 400 * 86_400 * second })).to.equal('stale');
    expect(read(event, { age: 301 * second, signedWith: other })).to.equal('forged');
    // The clock of Stripe may be a little ahead.
    expect(read(event, { age: -5 * second })).to.deep.equal([place]);
  });

  it('is signed with any of the secrets, or with several of them while one takes the place of another', () => {
    for (const signedWith of [first, other, third])
      expect(read(event, { signedWith, secrets: [first, other, third] })).to.deep.equal([place]);
    const header = signatureOf(event, [third, other], now);
    for (const secrets of [[first, other], [third]])
      expect(read(event, { header, secrets })).to.deep.equal([place]);
    expect(read(event, { header, secrets: [first] })).to.equal('forged');
    expect(read(event, { secrets: [] })).to.equal('forged');
  });
});
