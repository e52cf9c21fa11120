import type { FeedEvent } from '../../../client/index.ts';
import { type Caller, mayBeAdmin } from '../../components/caller.ts';
import { reloadWhile } from '../../components/live.ts';
import { load, show } from '../../components/states.ts';
import { errorOf } from '../../errors.ts';
import { eventLabel } from '../../event-types.ts';
import { formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { replayFrom, sendAgain } from './actions.ts';
import { isDue } from './deliveries.ts';
import { attemptWords, deliveryChip, onlyAdmins } from './webhook-labels.ts';

/** One message to one endpoint, with its attempts. */
export const deliveryView = (context: Context): View => {
  const { api, params, signal } = context;
  const view: View = { title: 'Message', template: () => nothing };
  const loading = load(context, async () => {
    const { data: delivery } = await api.send('GET /webhook-deliveries/{id}', {
      path: { id: params.id },
      signal,
    });
    const [event, endpoint, caller] = await Promise.all([
      delivery.sequence === null
        ? undefined
        : found(() => api.send('GET /events/{id}', { path: { id: delivery.event_id }, signal })),
      found(() => api.send('GET /webhook-endpoints/{id}', { path: { id: delivery.endpoint_id }, signal })),
      api.caller(),
    ]);
    view.title = eventLabel(delivery.event_type);
    return { delivery, event, endpoint, caller };
  });
  reloadWhile(context, loading, ({ delivery }) => isDue(delivery));

  const again = async (delivery: WebhookDelivery) => {
    const made = await sendAgain(context, delivery);
    if (made === undefined) return;
    context.notify('It is sent again.');
    location.hash = hrefOf(`/webhooks/deliveries/${made.id}`);
  };
  const replay = async (delivery: WebhookDelivery, sequence: number) => {
    if ((await replayFrom(context, delivery, sequence)) === undefined) return;
    context.notify('Everything from here on is sent again.');
    location.hash = hrefOf(`/webhooks/${delivery.endpoint_id}`);
  };

  const actions = ({ delivery, event, endpoint, caller }: Message) => {
    if (endpoint === undefined) return html`<p class="soft">The webhook was deleted.</p>`;
    if (!mayBeAdmin(caller)) return onlyAdmins('send it again');
    const { sequence } = delivery;
    const isKept = sequence === null || event !== undefined;
    return html`
      ${isKept ? html`<button type="button" class="primary" @click=${() => again(delivery)}>Send again</button>` : nothing}
      ${event && sequence !== null ? html`<button type="button" @click=${() => replay(delivery, sequence)}>Replay from here</button>` : nothing}
    `;
  };

  view.template = () =>
    show(
      loading,
      (all) => html`
        <div class="actions">${deliveryChip(all.delivery.status)} ${actions(all)}</div>
        <div class="two-columns">
          <section class="card"><h2>Attempts</h2>${attempts(all.delivery)}</section>
          ${factsCard(all)}
        </div>
      `,
    );
  return view;
};

/** A delivery, with the event and the endpoint that it belongs to, if they can be read. */
interface Message {
  readonly delivery: WebhookDelivery;
  readonly event: FeedEvent | undefined;
  readonly endpoint: WebhookEndpoint | undefined;
  readonly caller: Caller;
}

/** Undefined for what is deleted, or what the key may not read. */
const found = async <Data>(read: () => Promise<{ readonly data: Data }>): Promise<Data | undefined> => {
  try {
    return (await read()).data;
  } catch (error) {
    const { status } = errorOf(error);
    if (status === 404 || status === 403) return undefined;
    throw error;
  }
};

const attempts = ({
  attempts: made,
  attempt_count: count,
  status,
  next_attempt_at: next,
}: WebhookDelivery) => html`
  ${
    status === 'pending'
      ? html`<p>${next === null ? 'It waits until the webhook is switched on.' : html`The next attempt is on ${formatTime(next)}.`}</p>`
      : nothing
  }
  ${made.length === 0 ? html`<p class="soft">None yet.</p>` : nothing}
  ${count > made.length ? html`<p class="soft">${count} so far. These are the last ${made.length}.</p>` : nothing}
  <ol class="timeline">
    ${made.toReversed().map(
      (attempt) => html`<li class=${attempt.error === null ? 'good' : 'bad-dot'}>
        <p>${attemptWords(attempt)}</p>
        <p class="soft"><time datetime=${attempt.at}>${formatTime(attempt.at)}</time> · ${durationWords(attempt.duration_ms)}</p>
      </li>`,
    )}
  </ol>
`;

const durationWords = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

const triggers: Readonly<Record<WebhookDelivery['trigger'], string>> = {
  event: 'It has happened in the shop.',
  position: 'Everything was sent again from an earlier moment.',
  manual: 'It was sent again by hand.',
  test: 'It is an example: nothing has happened in the shop.',
};

const factsCard = ({ delivery, event, endpoint }: Message) => html`
  <section class="card">
    <h2>Details</h2>
    <dl class="facts">
      <dt>Sent to</dt>
      <dd>${endpoint ? html`<a href=${hrefOf(`/webhooks/${endpoint.id}`)}>${endpoint.url}</a>` : 'A webhook that was deleted'}</dd>
      <dt>Why</dt><dd>${triggers[delivery.trigger]}</dd>
      <dt>Kind</dt><dd class="id">${delivery.event_type}</dd>
      ${event?.order_id ? html`<dt>Order</dt><dd><a href=${hrefOf(`/orders/${event.order_id}`)}>Show the order</a></dd>` : nothing}
      ${event ? html`<dt>Happened</dt><dd>${formatTime(event.timestamp)}</dd>` : nothing}
      <dt>Made</dt><dd>${formatTime(delivery.created_at)}</dd>
      <dt>Event</dt><dd class="id">${delivery.event_id}</dd>
    </dl>
  </section>
`;
