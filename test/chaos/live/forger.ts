import { sleep } from '#adapters/support/time.ts';
import type { Random } from '#test/support/random.ts';
import type { RetriedRequest } from '../../lab/clients/retried-request.ts';
import { type Violations, violation } from '../../lab/violations.ts';
import { signatureOf } from '../../stripe/webhooks/payload.ts';
import { webhookSecret } from '../conditions.ts';
import type { Counts } from '../counts.ts';
import type { Server } from '../server.ts';

interface Options {
  readonly requests: readonly RetriedRequest[];
  readonly fleet: { readonly servers: readonly Pick<Server, 'name' | 'eventsUrl'>[] };
  readonly random: Random;
  readonly violations: Violations;
  readonly counts: Counts;
  /** The longest pause between two events, in milliseconds. */
  readonly maxPauseMs?: number;
}

/** What never happened, with the object as it would be. */
const inventions = {
  'payment_intent.succeeded': { object: 'payment_intent', status: 'succeeded' },
  'payment_intent.canceled': { object: 'payment_intent', status: 'canceled' },
  'payment_intent.payment_failed': { object: 'payment_intent', status: 'requires_payment_method' },
  'refund.created': { object: 'refund', status: 'succeeded' },
  'refund.failed': { object: 'refund', status: 'failed' },
  'charge.dispute.created': { object: 'dispute', status: 'needs_response' },
} as const;
const types = Object.keys(inventions) as (keyof typeof inventions)[];

/**
 * Sends events that never happened, of payments that are under way: half of them signed as by the provider, so that only their content
 * is wrong, and half by a forger. The former may cause no more than a retrieval, and the latter nothing.
 */
export const forgeEvents = async (options: Options, isOver: () => boolean): Promise<void> => {
  const { fleet, counts, maxPauseMs = 1_400 } = options;
  const random = options.random.fork();
  while (!isOver()) {
    await sleep(random.between(0, maxPauseMs));
    const isForged = random.chance(0.5);
    const body = JSON.stringify(invent(options.requests, random));
    const secret = isForged ? 'whsec_forged' : webhookSecret;
    const { name, eventsUrl } = random.pick(fleet.servers);
    const status = await post(eventsUrl, body, signatureOf(body, [secret], Date.now()));
    counts.inventedEvents += 1;
    if (isForged) counts.forgedEvents += 1;
    // 0 when the server is down, and 503 when it cannot store what it believes to be the provider's.
    if (status === 0 || status === 503 || status === (isForged ? 401 : 204)) continue;
    options.violations.add(violation('forgedEvents', `${name} responded ${status} to ${secret} ${body}`));
  }
};

const prefixes = { payment_intent: 'pi_', refund: 're_', dispute: 'du_' } as const;

/** Of a payment or refund that was just returned to a client, if that is what the event is about, and otherwise of none. */
const invent = (requests: readonly RetriedRequest[], random: Random) => {
  const type = random.pick(types);
  const invention = inventions[type];
  const prefix = prefixes[invention.object];
  const recent = requests.slice(-40).flatMap(({ response }) => response?.subject?.reference ?? []);
  const real = recent.filter((reference) => reference.startsWith(prefix));
  const id = real.length > 0 ? random.pick(real) : `${prefix}${random.below(1_000_000)}`;
  return {
    ...{ id: `evt_${random.below(1_000_000)}`, object: 'event', api_version: '2026-10-28.endive', type },
    created: Math.floor(Date.now() / 1_000),
    data: { object: { id, amount: 100, currency: 'eur', ...invention } },
  };
};

/** @returns 0 when there is no response */
const post = async (url: string, body: string, signature: string): Promise<number> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};
