import type { DataOf } from '../../../client/index.ts';
import { filterLinks } from '../../components/chips.ts';
import { reloadWhile } from '../../components/live.ts';
import { pager } from '../../components/pager.ts';
import { load, show } from '../../components/states.ts';
import { eventLabel } from '../../event-types.ts';
import { formatAgo, formatTime } from '../../format.ts';
import { html, nothing, repeat } from '../../lit.ts';
import type { ListPage } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context } from '../../view.ts';
import { deliveryChip } from './webhook-labels.ts';

type Delivery = DataOf<'GET /webhook-deliveries'>;
type Status = Delivery['status'];

const statuses: readonly (readonly [status: Status | undefined, text: string])[] = [
  [undefined, 'All'],
  ['pending', 'Waiting'],
  ['succeeded', 'Arrived'],
  ['failed', 'Given up'],
  ['canceled', 'Canceled'],
];

/** How soon the next attempt is when the list is read again for it. */
const soonMs = 15_000;

/** Whether a delivery changes within seconds. */
export const isDue = ({
  status,
  next_attempt_at: at,
}: Pick<Delivery, 'status' | 'next_attempt_at'>): boolean =>
  status === 'pending' && at !== null && Date.parse(at) - Date.now() < soonMs;

/**
 * What was sent to an endpoint, the newest first.
 * @param onChange called when something that waited may have arrived
 */
export const deliveriesPart = (context: Context, endpointId: string, onChange: () => void) => {
  const { api, signal, query } = context;
  const cursor = query.get('cursor') ?? undefined;
  const status = statuses.find(([each]) => each === query.get('status'))?.[0];
  const hrefWith = (parameters: Readonly<Record<string, string | undefined>>) =>
    hrefOf(`/webhooks/${endpointId}`, parameters);
  const loading = load(context, () =>
    api.send('GET /webhook-deliveries', {
      query: {
        ...({ endpoint_id: endpointId, sort: '-id', limit: 20 } as const),
        ...(status && { status }),
        ...(cursor && { cursor }),
      },
      signal,
    }),
  );
  reloadWhile(context, loading, ({ data }) => {
    if (!data.some(isDue)) return false;
    onChange();
    return true;
  });

  const rows = ({ data, pagination }: ListPage<Delivery>) =>
    data.length === 0
      ? html`<p class="soft">${status === undefined ? 'Nothing yet. Send an example to try it.' : 'Nothing here.'}</p>`
      : html`
          <table class="list plain">
            <caption class="hidden">What was sent, the newest first</caption>
            <thead>
              <tr><th scope="col">What</th><th scope="col">When</th><th scope="col" class="number">Attempts</th><th scope="col">Status</th></tr>
            </thead>
            <tbody>${repeat(data, ({ id }) => id, row)}</tbody>
          </table>
          ${pager(pagination, cursor, (next) => hrefWith({ status, cursor: next }))}
        `;

  return {
    reload: loading.reload,
    template: () => html`
      ${filterLinks('Status', statuses, status, (value) => hrefWith({ status: value }))}
      ${show(loading, rows)}
    `,
  };
};

const row = ({
  id,
  event_type: type,
  trigger,
  created_at: at,
  attempt_count: count,
  status,
}: Delivery) => html`<tr>
  <th scope="row">
    <a class="row long" href=${hrefOf(`/webhooks/deliveries/${id}`)}>${eventLabel(type)}</a>
    ${trigger === 'test' ? html`<span class="soft">example</span>` : nothing}
  </th>
  <td data-label="When"><time datetime=${at} title=${formatTime(at)}>${formatAgo(at)}</time></td>
  <td data-label="Attempts" class="number">${count}</td>
  <td data-label="Status">${deliveryChip(status)}</td>
</tr>`;
