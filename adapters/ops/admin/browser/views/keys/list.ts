import { type Caller, mayBeAdmin } from '../../components/caller.ts';
import { filterLinks, statusChip } from '../../components/chips.ts';
import { field } from '../../components/dialog.ts';
import { pager } from '../../components/pager.ts';
import { emptyState, errorBox, load, show } from '../../components/states.ts';
import { findUser, nameOf, readUser } from '../../components/users.ts';
import { formOf, textOf, valuesOf } from '../../elements.ts';
import { formatAgo, formatTime } from '../../format.ts';
import { html, nothing, repeat } from '../../lit.ts';
import type { ApiKey, ListPage, User } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import { rightsInShort } from '../../scopes.ts';
import type { Context, View } from '../../view.ts';

/** The keys of the caller; an administrator sees those of all, or of one user. */
export const keysView = (context: Context): View => {
  const { api, signal, query } = context;
  const [user, cursor] = ['user', 'cursor'].map((name) => query.get(name) ?? undefined);
  const search = userSearch(context);
  const loading = load(context, async () => {
    const filters = { ...(user && { user_id: user }), ...(cursor && { cursor }) };
    const [{ data, pagination }, caller] = await Promise.all([
      api.send('GET /api-keys', { query: { sort: '-id', limit: 20, ...filters }, signal }),
      api.caller(),
    ]);
    const ids = [...new Set([...data.map((key) => key.user_id), ...(user ? [user] : [])])];
    const users = await Promise.all(ids.map((id) => readUser(context, id)));
    return { data, pagination, caller, owners: new Map(ids.map((id, index) => [id, users[index]])) };
  });

  const filters = ({ caller }: ListedKeys) => {
    if (!mayBeAdmin(caller))
      return html`<p class="soft">These are your own keys. Only an administrator sees those of others.</p>`;
    const choices: readonly (readonly [id: string | undefined, text: string])[] = [
      [undefined, 'All'],
      ...(caller.user ? [[caller.user.id, 'Yours'] as const] : []),
    ];
    const hasChoice = user !== undefined || choices.length > 1;
    return html`${search()}${hasChoice ? filterLinks('Whose', choices, user, (value) => hrefOf('/keys', { user: value })) : nothing}`;
  };

  const list = ({ data, pagination, owners }: ListedKeys) =>
    data.length === 0
      ? emptyState(
          'No keys here',
          'Create one for each program and for each person who works with your shop.',
        )
      : html`
          <table class="list">
            <caption class="hidden">Keys, the newest first</caption>
            <thead>
              <tr>
                <th scope="col">Name</th><th scope="col">Acts for</th><th scope="col">May do</th>
                <th scope="col">Last used</th><th scope="col">Valid until</th>
              </tr>
            </thead>
            <tbody>${repeat(
              data,
              ({ id }) => id,
              (key) => row(key, owners.get(key.user_id)),
            )}</tbody>
          </table>
          ${pager(pagination, cursor, (next) => hrefOf('/keys', { user, cursor: next }))}
        `;

  return {
    title: 'Keys',
    template: () => html`
      <p class="soft">A program needs a key to work with your shop, and so does everyone who signs in here. Give each its own, so that you can revoke one alone.</p>
      <div class="actions first"><a class="button primary" href=${hrefOf('/keys/new', { user })}>Create a key</a></div>
      ${show(
        loading,
        (all) => html`
          ${filters(all)}
          ${user ? html`<h2>Keys of ${nameOf(all.owners.get(user))}</h2>` : nothing}
          ${list(all)}
        `,
      )}
    `,
  };
};

interface ListedKeys extends ListPage<ApiKey> {
  readonly caller: Caller;
  readonly owners: ReadonlyMap<string, User | undefined>;
}

export const isExpired = ({ expires_at: until }: ApiKey): boolean =>
  until !== null && Date.parse(until) <= Date.now();

const row = (key: ApiKey, owner: User | undefined) => html`<tr>
  <th scope="row">
    <a class="row long" href=${hrefOf(`/keys/${key.id}`)}>${key.name}</a>
    ${key.publishable ? html`<div class="soft">for a web page</div>` : nothing}
  </th>
  <td data-label="Acts for" class="wide">${nameOf(owner)}</td>
  <td data-label="May do" class="wide">${rightsInShort(key.scopes)}</td>
  <td data-label="Last used" class="wide">${key.last_used_at ? html`<time datetime=${key.last_used_at} title=${formatTime(key.last_used_at)}>${formatAgo(key.last_used_at)}</time>` : 'Never'}</td>
  <td data-label="Valid until" class="wide">${isExpired(key) ? statusChip('expired') : key.expires_at ? formatTime(key.expires_at) : 'No end'}</td>
</tr>`;

/** Finds the user whose keys are shown. */
const userSearch = (context: Context) => {
  let missing = '';
  let error: unknown;
  const find = async (event: SubmitEvent) => {
    event.preventDefault();
    const email = textOf(valuesOf(formOf(event)), 'email');
    [missing, error] = ['', undefined];
    try {
      const user = await findUser(context, email);
      if (context.signal.aborted) return;
      if (user) location.hash = hrefOf('/keys', { user: user.id });
      else missing = email;
    } catch (caught) {
      error = caught;
    }
    context.update();
  };
  return () => html`
    <form class="search by-user" role="search" @submit=${find}>
      ${field('Keys of the user with this e-mail', 'email', { type: 'email', required: true, maxlength: 254 })}
      <button>Show</button>
    </form>
    ${missing ? html`<div class="banner" role="status"><p>There is no user with the e-mail address ${missing}.</p></div>` : nothing}
    ${error === undefined ? nothing : errorBox(error)}
  `;
};
