import { mayBeAdmin } from '../../components/caller.ts';
import { emptyState, load, show } from '../../components/states.ts';
import { patternsLabel } from '../../event-types.ts';
import { html, nothing, repeat } from '../../lit.ts';
import type { WebhookEndpoint } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { readWaiting, type Waiting, waitingWords } from './waiting.ts';
import { banner, endpointChip, onlyAdmins, problemOf } from './webhook-labels.ts';

/** Where events are sent to, and what is wrong there. */
export const webhooksView = (context: Context): View => {
  const { api, signal } = context;
  const loading = load(context, async () => {
    const [{ data }, caller] = await Promise.all([
      api.send('GET /webhook-endpoints', { query: { limit: 100 }, signal }),
      api.caller(),
    ]);
    const endpoints = await Promise.all(
      data.map(async (endpoint) => ({ ...endpoint, waiting: await readWaiting(context, endpoint.id) })),
    );
    return { caller, endpoints };
  });

  return {
    title: 'Webhooks',
    template: () => html`
      <p class="soft">A webhook tells another program of yours, at once, that something has happened in the shop: an order is paid, a product is out of stock.</p>
      ${show(
        loading,
        ({ endpoints, caller }) => html`
          ${mayBeAdmin(caller) ? html`<div class="actions first"><a class="button primary" href="#/webhooks/new">Add a webhook</a></div>` : onlyAdmins('add and change webhooks')}
          ${endpoints.filter((each) => problemOf(each) !== undefined).map(problem)}
          ${endpoints.length === 0 ? emptyState('No webhooks yet', 'Add one to tell a till, a mail program or an accounting system what happens here.') : table(endpoints)}
        `,
      )}
    `,
  };
};

interface ListedEndpoint extends WebhookEndpoint {
  readonly waiting: Waiting;
}

const problem = (endpoint: WebhookEndpoint) =>
  banner(html`<a href=${hrefOf(`/webhooks/${endpoint.id}`)}>${endpoint.url}</a>`, problemOf(endpoint) ?? '');

const table = (endpoints: readonly ListedEndpoint[]) => html`
  <table class="list">
    <caption class="hidden">Webhooks</caption>
    <thead>
      <tr><th scope="col">Sent to</th><th scope="col">What</th><th scope="col">Waiting</th><th scope="col">Status</th></tr>
    </thead>
    <tbody>${repeat(endpoints, ({ id }) => id, row)}</tbody>
  </table>
`;

const row = (endpoint: ListedEndpoint) => {
  const { id, url, description, event_types: patterns, waiting } = endpoint;
  return html`<tr>
    <th scope="row">
      <a class="row long" href=${hrefOf(`/webhooks/${id}`)}>${url}</a>
      ${description ? html`<div class="soft">${description}</div>` : nothing}
    </th>
    <td data-label="What" class="wide">${patternsLabel(patterns)}</td>
    <td data-label="Waiting" class="wide">${waitingWords(waiting)}</td>
    <td data-label="Status">${endpointChip(endpoint)}</td>
  </tr>`;
};
