import { mayBeAdmin } from '../../components/caller.ts';
import { load, show } from '../../components/states.ts';
import { patternsLabel } from '../../event-types.ts';
import { formatAgo, formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { WebhookEndpoint } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { deleteEndpoint, disableEndpoint, enableEndpoint, rotateSecret, sendExample } from './actions.ts';
import { deliveriesPart } from './deliveries.ts';
import { showEndpointSecret } from './edit.ts';
import { readWaiting, type Waiting, waitingWords } from './waiting.ts';
import { banner, endpointChip, onlyAdmins, problemOf, stateOf } from './webhook-labels.ts';

/** One endpoint: what it gets, how it is doing, and what was sent to it. */
export const webhookView = (context: Context): View => {
  const { api, params, signal } = context;
  const view: View = { title: 'Webhook', template: () => nothing };
  const loading = load(context, async () => {
    const [{ data: endpoint }, waiting, caller] = await Promise.all([
      api.send('GET /webhook-endpoints/{id}', { path: { id: params.id }, signal }),
      readWaiting(context, params.id),
      api.caller(),
    ]);
    view.title = `Webhook: ${endpoint.description ?? new URL(endpoint.url).host}`;
    return { endpoint, waiting, caller };
  });
  const deliveries = deliveriesPart(context, params.id, () => loading.reload());

  const act = async (action: Promise<unknown>, done: string) => {
    const result = await action;
    if (result === undefined) return;
    context.notify(done);
    loading.reload();
    deliveries.reload();
  };
  const remove = async (endpoint: WebhookEndpoint) => {
    if ((await deleteEndpoint(context, endpoint)) === undefined) return;
    context.notify('The webhook is deleted.');
    location.hash = '#/webhooks';
  };
  const rotate = async (endpoint: WebhookEndpoint) => {
    const made = await rotateSecret(context, endpoint);
    if (made === undefined) return;
    await showEndpointSecret(context, made.secret ?? '');
    loading.reload();
  };
  const example = async (endpoint: WebhookEndpoint) => {
    const made = await sendExample(context, endpoint);
    if (made !== undefined) location.hash = hrefOf(`/webhooks/deliveries/${made.id}`);
  };

  const actions = (endpoint: WebhookEndpoint) => html`
    <a class="button" href=${hrefOf(`/webhooks/${endpoint.id}/change`)}>Change</a>
    <button type="button" @click=${() => example(endpoint)}>Send an example</button>
    ${
      endpoint.status === 'enabled'
        ? html`<button type="button" @click=${() => act(disableEndpoint(context, endpoint), 'The webhook is switched off.')}>Switch off</button>`
        : html`<button type="button" class="primary" @click=${() => act(enableEndpoint(context, endpoint), 'The webhook is switched on.')}>Switch on</button>`
    }
    <button type="button" class="danger" @click=${() => remove(endpoint)}>Delete</button>
  `;

  view.template = () =>
    show(loading, ({ endpoint, waiting, caller }) => {
      const problem = problemOf(endpoint);
      return html`
          <div class="actions">${endpointChip(endpoint)} ${mayBeAdmin(caller) ? actions(endpoint) : nothing}</div>
          ${mayBeAdmin(caller) ? nothing : onlyAdmins('change this webhook, or send something to it')}
          ${problem ? banner(stateOf(endpoint) === 'failing' ? 'It does not arrive' : 'Switched off', problem) : nothing}
          <div class="two-columns">
            <section class="card"><h2>What was sent</h2>${deliveries.template()}</section>
            <div>
              ${factsCard(endpoint, waiting)}
              ${secretsCard(endpoint, mayBeAdmin(caller) ? () => rotate(endpoint) : undefined)}
            </div>
          </div>
        `;
    });
  return view;
};

const orderingWords = { parallel: 'As fast as possible', sequential: 'One after the other' };
const payloadWords = { full: 'With all details', thin: 'Only that it happened' };

const factsCard = (endpoint: WebhookEndpoint, waiting: Waiting) => html`
  <section class="card">
    <h2>Details</h2>
    <dl class="facts">
      <dt>Sent to</dt><dd>${endpoint.url}</dd>
      ${endpoint.description ? html`<dt>For</dt><dd>${endpoint.description}</dd>` : nothing}
      <dt>What</dt><dd>${patternsLabel(endpoint.event_types)}</dd>
      <dt>Order</dt><dd>${orderingWords[endpoint.ordering]}</dd>
      <dt>How much</dt><dd>${payloadWords[endpoint.payload]}</dd>
      <dt>Waiting</dt><dd>${waitingWords(waiting)}</dd>
      ${endpoint.failing_since ? html`<dt>Failing since</dt><dd>${formatTime(endpoint.failing_since)}</dd>` : nothing}
      <dt>Added</dt><dd>${formatTime(endpoint.created_at)}</dd>
      <dt>Id</dt><dd class="id">${endpoint.id}</dd>
    </dl>
  </section>
`;

const secretsCard = ({ secrets }: WebhookEndpoint, rotate: (() => void) | undefined) => html`
  <section class="card">
    <h2>Secret</h2>
    <p class="soft">The program that receives the webhook verifies with it that a message is from your shop.</p>
    ${secrets.map(
      ({ hint, created_at: at, expires_at: until }) => html`<div class="entry">
        <p><span class="id">${hint}</span></p>
        <p class="soft">made ${formatAgo(at)}${until ? html`, valid until ${formatTime(until)}` : nothing}</p>
      </div>`,
    )}
    ${rotate ? html`<div class="buttons"><button type="button" @click=${rotate}>Make a new secret</button></div>` : nothing}
  </section>
`;
