import type { BodyOf } from '../../../client/index.ts';
import { mayBeAdmin } from '../../components/caller.ts';
import { statusChip } from '../../components/chips.ts';
import { confirmAction, field } from '../../components/dialog.ts';
import { load, show } from '../../components/states.ts';
import { nameOf, readUser } from '../../components/users.ts';
import { textOf } from '../../elements.ts';
import { formatAgo, formatCount, formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { ApiKey, User } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import { rightsOf } from '../../scopes.ts';
import type { Context, View } from '../../view.ts';
import { isExpired } from './list.ts';

/** One key: what it may do, for whom, and its end. */
export const keyView = (context: Context): View => {
  const { api, params, signal } = context;
  const view: View = { title: 'Key', template: () => nothing };
  const loading = load(context, async () => {
    const { data: key } = await api.send('GET /api-keys/{id}', { path: { id: params.id }, signal });
    const [caller, owner] = await Promise.all([api.caller(), readUser(context, key.user_id)]);
    view.title = `Key: ${key.name}`;
    return { key, owner, caller };
  });

  const act = async (action: Promise<unknown>, done: string) => {
    if ((await action) === undefined) return;
    context.notify(done);
    loading.reload();
  };
  const revoke = async (key: ApiKey, isOwn: boolean) => {
    if ((await revokeKey(context, key, isOwn)) === undefined) return;
    if (isOwn) return context.signOut('You have revoked the key with which you were signed in.');
    context.notify('The key is revoked.');
    location.hash = '#/keys';
  };

  view.template = () =>
    show(loading, ({ key, owner, caller }) => {
      const isOwn = caller.key?.id === key.id;
      return html`
        <div class="actions">
          ${isExpired(key) ? statusChip('expired') : statusChip('active', 'Valid')}
          <button type="button" @click=${() => act(renameKey(context, key), 'The key has a new name.')}>Rename</button>
          ${mayBeAdmin(caller) ? html`<button type="button" @click=${() => act(limitKey(context, key), 'The limit is changed.')}>Change its limit</button>` : nothing}
          <button type="button" class="danger" @click=${() => revoke(key, isOwn)}>Revoke</button>
        </div>
        ${isOwn ? html`<div class="banner"><p>You are signed in with this key.</p></div>` : nothing}
        <div class="two-columns">
          ${rightsCard(key)} ${factsCard(key, owner)}
        </div>
      `;
    });
  return view;
};

const change = ({ api }: Context, id: string, body: BodyOf<'PATCH /api-keys/{id}'>, idempotencyKey: string) =>
  api.send('PATCH /api-keys/{id}', { path: { id }, body, idempotencyKey });

const renameKey = (context: Context, { id, name }: ApiKey) =>
  confirmAction({
    title: 'Rename this key',
    fields: () => field('Name', 'name', { value: name, required: true, maxlength: 200 }),
    confirm: 'Rename',
    run: (values, idempotencyKey) => change(context, id, { name: textOf(values, 'name') }, idempotencyKey),
  });

const limitKey = (context: Context, { id, rate_limit: current }: ApiKey) =>
  confirmAction({
    title: 'How many requests may it send in a minute?',
    text: 'Leave it empty for as many as usual. A minute is what counts, unless the operator of the server has set another time.',
    fields: () => field('Requests', 'limit', { value: current ?? '', inputmode: 'numeric', maxlength: 7 }),
    confirm: 'Change',
    run: async (values, idempotencyKey) => {
      const limit = textOf(values, 'limit');
      if (!/^\d*$/.test(limit)) throw new Error('Type a whole number of requests, such as 600.');
      return change(context, id, { rate_limit: limit === '' ? null : Number(limit) }, idempotencyKey);
    },
  });

/** Without a version: each use of a key changes it. */
const revokeKey = ({ api }: Context, { id, name }: ApiKey, isOwn: boolean) =>
  confirmAction({
    title: `Revoke the key “${name}”?`,
    text: `What uses it stops working within seconds. It cannot be undone.${isOwn ? ' You are signed in with it, and will be signed out.' : ''}`,
    confirm: 'Revoke',
    isDangerous: true,
    run: async () => {
      await api.send('DELETE /api-keys/{id}', { path: { id } });
      return true;
    },
  });

const rightsCard = ({ scopes }: ApiKey) => html`
  <section class="card">
    <h2>What it may do</h2>
    ${
      scopes.length === 0
        ? html`<p class="soft">Nothing.</p>`
        : html`<dl class="facts wide-names">${rightsOf(scopes).map(([title, rights]) => html`<dt>${title}</dt><dd>${rights}</dd>`)}</dl>`
    }
    <p class="soft">It can never do more than the user it acts for.</p>
  </section>
`;

const factsCard = (key: ApiKey, owner: User | undefined) => html`
  <section class="card">
    <h2>Details</h2>
    <dl class="facts">
      <dt>Acts for</dt><dd><a href=${hrefOf('/keys', { user: key.user_id })}>${nameOf(owner)}</a>${owner ? html` <span class="soft">${owner.role}</span>` : nothing}</dd>
      <dt>For</dt><dd>${key.publishable ? 'A web page: it is no secret' : 'A program or a person: it is secret'}</dd>
      <dt>Last used</dt><dd>${key.last_used_at ? formatAgo(key.last_used_at) : 'Never'}</dd>
      <dt>Valid until</dt><dd>${key.expires_at ? formatTime(key.expires_at) : 'No end'}</dd>
      <dt>Limit</dt><dd>${key.rate_limit === null ? 'As usual' : `${formatCount(key.rate_limit)} requests in a minute`}</dd>
      <dt>Created</dt><dd>${formatTime(key.created_at)}${key.created_by ? html`<br /><a href=${hrefOf(`/keys/${key.created_by}`)}>with this key</a>` : nothing}</dd>
      <dt>Id</dt><dd class="id">${key.id}</dd>
    </dl>
  </section>
`;
