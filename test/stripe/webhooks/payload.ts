import { createHmac } from 'node:crypto';
import { apiVersion } from '../credentials.ts';
import { eventView } from '../events.ts';
import type { Endpoint, StripeEvent } from '../objects.ts';

/** The body of a delivery: a snapshot event or a thin one. https://docs.stripe.com/events/how-events-work */
export const payloadOf = (event: StripeEvent, { payload }: Endpoint, api_version = apiVersion): string =>
  JSON.stringify(payload === 'thin' ? thin(event) : { ...eventView(event), api_version });

const thin = ({ id, createdAt, type, snapshot }: StripeEvent) => ({
  id: id.replace('evt_', 'evt_thin_'),
  object: 'v2.core.event',
  created: new Date(createdAt).toISOString(),
  livemode: false,
  reason: null,
  related_object: { id: snapshot.id, type: snapshot.object, url: `/v1/${snapshot.object}s/${snapshot.id}` },
  snapshot_event: id,
  type: `v1.${type}`,
});

/**
 * The header `Stripe-Signature`, with a signature for each secret. https://docs.stripe.com/webhooks/signature
 * @param at in milliseconds
 */
export const signatureOf = (body: string, secrets: readonly string[], at: number): string => {
  const time = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    return `,v1=${digest}`;
  });
  return `t=${time}${signatures.join('')}`;
};
