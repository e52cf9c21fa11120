import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { eventTypes } from '../events/event-types.ts';
import type { EventSource } from './event-sources.ts';
import type { Reading } from './reading.ts';

interface Situation {
  readonly sources: Reading<readonly EventSource[]>;
  /** Whether this shop accepts events. */
  readonly listens: boolean;
  /** How often the list of events is read, in milliseconds; 0 when it is not. */
  readonly pollMs: number;
}

/** Where the listener accepts events. */
const path = '/provider-events';

const webhook = findingsFor('webhook');

const subscription = `Create one in the dashboard of Stripe for the address at which your proxy serves ${path}, with these events: ${eventTypes.join(', ')}.`;

/** Whether Stripe sends every event that Portico uses, and to a listener. */
export const checkWebhooks = ({ sources, listens, pollMs }: Situation): readonly Finding[] => {
  if (!listens) return [checkUnused('shown' in sources ? sources.shown : [], pollMs)];
  if (!('shown' in sources)) return [unread(sources)];
  const { shown: all } = sources;
  if (all.length === 0) {
    return [warnOrFail(pollMs)(`Stripe has no webhook endpoint: ${consequence(pollMs)}`, subscription)];
  }
  const own = all.filter(({ address }) => address.endsWith(path));
  const relevant = own.length > 0 ? own : all;
  const disabled = relevant.filter(({ isEnabled }) => !isEnabled);
  const enabled = relevant.filter(({ isEnabled }) => isEnabled);
  return [
    ...(disabled.length > 0
      ? [
          webhook.warn(
            `Stripe sends no events to ${addressesOf(disabled)}, which ${disabled.length === 1 ? 'is' : 'are'} disabled`,
            'Enable it in the dashboard of Stripe, or delete it there.',
          ),
        ]
      : []),
    ...(enabled.length > 0 ? [checkTypes(enabled, pollMs)] : [noneEnabled(pollMs)]),
    ...(own.length > 0 || enabled.length === 0 ? [] : [elsewhere(enabled)]),
  ];
};

const checkUnused = (sources: readonly EventSource[], pollMs: number): Finding => {
  const meant = sources.filter(({ address, isEnabled }) => isEnabled && address.endsWith(path));
  if (meant.length > 0) {
    return webhook.warn(
      `Stripe sends events to ${addressesOf(meant)}, but no listener accepts them: STRIPE_WEBHOOK_SECRETS is not set`,
      'Set it to the signing secret of the endpoint, which the dashboard of Stripe shows, and set PROVIDER_EVENTS_PORT.',
    );
  }
  if (pollMs > 0) return webhook.ok(`none is used: ${consequence(pollMs)}`);
  return webhook.fail(
    `none is used, and the list of events is not read: ${consequence(0)}`,
    'Set PROVIDER_EVENTS_POLL_MS above 0 and allow the key to read events, or set STRIPE_WEBHOOK_SECRETS and PROVIDER_EVENTS_PORT.',
  );
};

const unread = ({ status, reason }: Exclude<Situation['sources'], { readonly shown: unknown }>): Finding =>
  status === 403
    ? webhook.ok('not checked: the key may not read webhook endpoints and event destinations')
    : webhook.warn(`the webhook endpoints at Stripe cannot be read: ${reason}`, 'Try again later.');

const checkTypes = (sources: readonly EventSource[], pollMs: number): Finding => {
  const types = new Set(sources.flatMap((source) => source.types));
  const missing = types.has('*') ? [] : eventTypes.filter((type) => !types.has(type));
  if (missing.length === 0)
    return webhook.ok(`Stripe sends every event that is used to ${addressesOf(sources)}`);
  return warnOrFail(pollMs)(
    `no endpoint at Stripe is subscribed to ${missing.join(', ')}: of these, ${consequence(pollMs)}`,
    `Add them to the events of ${addressesOf(sources)} in the dashboard of Stripe.`,
  );
};

const noneEnabled = (pollMs: number): Finding =>
  warnOrFail(pollMs)(
    `no webhook endpoint at Stripe is enabled: ${consequence(pollMs)}`,
    'Enable one in the dashboard of Stripe.',
  );

const elsewhere = (sources: readonly EventSource[]): Finding =>
  webhook.warn(
    `no address of an endpoint at Stripe ends with ${path}`,
    `Check that your proxy passes ${addressesOf(sources)} to ${path}. If these belong to another program, create an endpoint for Portico.`,
  );

const consequence = (pollMs: number): string =>
  pollMs > 0
    ? `events come from the list only, every ${pollMs / 1_000} s`
    : 'no events of refunds, disputes and late decisions arrive';

const warnOrFail = (pollMs: number) => (pollMs > 0 ? webhook.warn : webhook.fail);

const addressesOf = (sources: readonly EventSource[]): string =>
  [...new Set(sources.map(({ address }) => address))].join(', ');
