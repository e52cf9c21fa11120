// @ts-nocheck
import { formatAgo } from '../../format.ts';
import { html } from '../../lit.ts';

/** How many are counted. More are said to be more. */
const limit = 50;

/** What has not arrived yet at an endpoint. */
export const readWaiting = async ({ api, signal }, id) => {
  const { data, pagination } = await api.send('GET /webhook-deliveries', {
    query: { endpoint_id: id, status: 'pending', limit },
    signal,
  });
  return { count: data.length, isMore: pagination.has_more, since: data[0]?.created_at };
};

export const waitingWords = ({ count, isMore, since }) =>
  count === 0
    ? html`<span class="soft">Nothing waits</span>`
    : html`${isMore ? `More than ${count}` : count}, the oldest ${formatAgo(since)}`;
