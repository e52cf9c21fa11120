import { formatAgo } from '../../format.ts';
import { html, type TemplateResult } from '../../lit.ts';
import type { Context } from '../../view.ts';

/** How many are counted. A larger number is shown as more than this. */
const limit = 50;

export interface Waiting {
  readonly count: number;
  readonly isMore: boolean;
  /** When the oldest was made. */
  readonly since: string | undefined;
}

/** What has not arrived yet at an endpoint. */
export const readWaiting = async ({ api, signal }: Context, id: string): Promise<Waiting> => {
  const { data, pagination } = await api.send('GET /webhook-deliveries', {
    query: { endpoint_id: id, status: 'pending', limit },
    signal,
  });
  return { count: data.length, isMore: pagination.has_more, since: data[0]?.created_at };
};

export const waitingWords = ({ count, isMore, since }: Waiting): TemplateResult =>
  since === undefined
    ? html`<span class="soft">Nothing waits</span>`
    : html`${isMore ? `More than ${count}` : count}, the oldest ${formatAgo(since)}`;
