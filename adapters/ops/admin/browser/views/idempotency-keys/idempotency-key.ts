import { reloadWhile } from '../../components/live.ts';
import { load, show } from '../../components/states.ts';
import { nameOf, readUser } from '../../components/users.ts';
import { formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { IdempotencyKey, User } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { outcomeChip, outcomeOf } from './request-labels.ts';
import { readSubject, subjectCard } from './subject.ts';
import { taskOf } from './tasks.ts';

/** How often a request that is not finished is read. */
const intervalMs = 5_000;

/** One request: what was asked, when, and what became of it. */
export const idempotencyKeyView = (context: Context): View => {
  const { api, params, signal } = context;
  const view: View = { title: 'Request', template: () => nothing };
  const loading = load(context, async () => {
    const { data: request } = await api.send('GET /idempotency-keys/{id}', {
      path: { id: params.id },
      signal,
    });
    view.title = taskOf(request);
    const [subject, owner] = await Promise.all([
      readSubject(context, request.subject),
      readUser(context, request.user_id),
    ]);
    return { request, subject, owner };
  });
  reloadWhile(context, loading, ({ request }) => request.status !== 'completed', intervalMs);

  view.template = () =>
    show(loading, ({ request, subject, owner }) => {
      const { meaning, advice } = outcomeOf(request);
      return html`
        <div class="actions">${outcomeChip(request)}</div>
        <div class="two-columns">
          <div>
            <section class="card">
              <h2>What became of it</h2>
              <p>${meaning}</p>
              <p class="soft">${advice}</p>
            </section>
            ${subjectCard(request.subject, subject)}
          </div>
          ${factsCard(request, owner)}
        </div>
      `;
    });
  return view;
};

const factsCard = (request: IdempotencyKey, owner: User | undefined) => html`
  <section class="card">
    <h2>Details</h2>
    <dl class="facts">
      <dt>Asked</dt><dd>${formatTime(request.created_at)}</dd>
      ${owner ? html`<dt>By</dt><dd><a href=${hrefOf('/requests', { user: owner.id })}>${nameOf(owner)}</a></dd>` : nothing}
      <dt>Attempts</dt><dd>${request.attempt_count}</dd>
      <dt>Key</dt>${request.key === null ? html`<dd>erased with the data of a customer</dd>` : html`<dd class="id">${request.key}</dd>`}
      <dt>Request</dt><dd class="id">${request.method} ${request.path}</dd>
      ${request.response_status === null ? nothing : html`<dt>Response</dt><dd>${request.response_status}${request.error_code ? html` <span class="id">${request.error_code}</span>` : nothing}</dd>`}
      ${request.request_id ? html`<dt>In the log</dt><dd class="id">${request.request_id}</dd>` : nothing}
      <dt>Kept until</dt><dd>${formatTime(request.expires_at)}</dd>
    </dl>
  </section>
`;
