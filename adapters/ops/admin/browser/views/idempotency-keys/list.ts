import { mayBeAdmin } from '../../components/caller.ts';
import { filterLinks } from '../../components/chips.ts';
import { field } from '../../components/dialog.ts';
import { pager } from '../../components/pager.ts';
import { emptyState, errorBox, load, show } from '../../components/states.ts';
import { findUser, nameOf, readUser } from '../../components/users.ts';
import { formOf, textOf, valuesOf } from '../../elements.ts';
import { formatAgo, formatTime } from '../../format.ts';
import { html, nothing, repeat } from '../../lit.ts';
import type { IdempotencyKey, ListPage } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { outcomeChip } from './request-labels.ts';
import { taskOf } from './tasks.ts';

type Status = IdempotencyKey['status'];

const statuses: readonly (readonly [status: Status | undefined, text: string])[] = [
  [undefined, 'All'],
  ['open', 'Not finished'],
  ['in_progress', 'Still running'],
  ['completed', 'Finished'],
];

/** Looks up what became of a request, and lists those of the last day. */
export const idempotencyKeysView = (context: Context): View => {
  const { api, signal, query } = context;
  const [user, cursor] = ['user', 'cursor'].map((name) => query.get(name) ?? undefined);
  const status = statuses.find(([each]) => each === query.get('status'))?.[0];
  const search = keySearch(context, user);
  const loading = load(context, async () => {
    const filters = { ...(status && { status }), ...(user && { user_id: user }), ...(cursor && { cursor }) };
    const [page, caller, owner] = await Promise.all([
      api.send('GET /idempotency-keys', { query: { sort: '-id', limit: 20, ...filters }, signal }),
      api.caller(),
      user === undefined ? undefined : readUser(context, user),
    ]);
    return { page, caller, owner };
  });

  const list = ({ data, pagination }: ListPage<IdempotencyKey>) =>
    data.length === 0
      ? emptyState(
          'No requests here',
          'A request that a program sends with a key of its own is listed for 24 hours.',
        )
      : html`
          <table class="list">
            <caption class="hidden">Requests, the newest first</caption>
            <thead><tr><th scope="col">What was asked</th><th scope="col">When</th><th scope="col">Key</th><th scope="col">Outcome</th></tr></thead>
            <tbody>${repeat(data, ({ id }) => id, row)}</tbody>
          </table>
          ${pager(pagination, cursor, (next) => hrefOf('/requests', { status, user, cursor: next }))}
        `;

  return {
    title: 'Requests',
    template: () => html`
      <p class="soft">A program sends each payment, refund or order with a key of its own, the idempotency key. Has it got no response? Look the key up, and see what became of it.</p>
      ${show(
        loading,
        ({ page, caller, owner }) => html`
          ${search.template(mayBeAdmin(caller))}
          <h2>${owner ? html`Requests of ${nameOf(owner)}` : 'Your requests of the last day'}</h2>
          ${owner ? html`<p><a href="#/requests">Show your own</a></p>` : nothing}
          ${filterLinks('Status', statuses, status, (value) => hrefOf('/requests', { status: value, user }))}
          ${list(page)}
        `,
      )}
    `,
  };
};

const row = (request: IdempotencyKey) => html`<tr>
  <th scope="row"><a class="row long" href=${hrefOf(`/requests/${request.id}`)}>${taskOf(request)}</a></th>
  <td data-label="When"><time datetime=${request.created_at} title=${formatTime(request.created_at)}>${formatAgo(request.created_at)}</time></td>
  <td data-label="Key" class="id wide">${request.key ?? 'erased'}</td>
  <td data-label="Outcome">${outcomeChip(request)}</td>
</tr>`;

/** The search by a key. The key is in no address: with it, the response to a request can be read again. */
const keySearch = (context: Context, user: string | undefined) => {
  const { api, signal, update } = context;
  let isSearching = false;
  let missing: Missing | undefined;
  let error: unknown;

  const find = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSearching) return;
    const values = valuesOf(formOf(event));
    const [key, email] = [textOf(values, 'key'), textOf(values, 'email')];
    [isSearching, missing, error] = [true, undefined, undefined];
    update();
    try {
      const owner = email === '' ? user : ((await findUser(context, email))?.id ?? null);
      const [found] = owner === null ? [] : await requestsWith(key, owner);
      if (signal.aborted) return;
      if (found !== undefined) location.hash = hrefOf(`/requests/${found.id}`);
      else if (key === '' && owner) location.hash = hrefOf('/requests', { user: owner });
      else missing = { isUnknown: owner === null, email };
    } catch (caught) {
      error = caught;
    }
    isSearching = false;
    update();
  };

  const requestsWith = async (key: string, owner: string | undefined) => {
    if (key === '') return [];
    const query = { key, ...(owner && { user_id: owner }) };
    return (await api.send('GET /idempotency-keys', { query, signal })).data;
  };

  return {
    template: (isAdmin: boolean) => html`
      <form class="card form" role="search" @submit=${find}>
        ${field('Key of the request', 'key', {
          ...{ maxlength: 255, required: !isAdmin },
          hint: 'The program that has sent it knows it, as its Idempotency-Key.',
        })}
        ${isAdmin ? field('E-mail of the customer', 'email', { type: 'email', maxlength: 254, hint: 'Whose request it was. Leave it empty for one of your own.' }) : html`<p class="soft">You find your own requests. Only an administrator can look up those of others.</p>`}
        ${missing ? notFound(missing) : nothing} ${error === undefined ? nothing : errorBox(error)}
        <div class="buttons"><button class="primary" aria-disabled=${isSearching}>${isSearching ? 'Looking …' : 'Look it up'}</button></div>
      </form>
    `,
  };
};

/** What was not found: a user, or the request. */
interface Missing {
  readonly isUnknown: boolean;
  readonly email: string;
}

const notFound = ({ isUnknown, email }: Missing) =>
  isUnknown
    ? html`<div class="banner" role="status"><p>There is no user with the e-mail address ${email}.</p></div>`
    : html`<div class="banner" role="status">
        <p><b>No such request</b></p>
        <p>
          It did not arrive, or was rejected before anything was done, or it is more than 24 hours old. Within a day it is safe to send it again with
          the same key. If it was another person’s request, give their e-mail address.
        </p>
      </div>`;
