import type { DataOf } from '../../../client/index.ts';
import { type Caller, mayBeAdmin } from '../../components/caller.ts';
import { field } from '../../components/dialog.ts';
import { type Choice, radios, type ViewForm, viewForm } from '../../components/form.ts';
import { checkboxGroups } from '../../components/groups.ts';
import type { KeyOf } from '../../components/keys.ts';
import { showSecret } from '../../components/secret.ts';
import { load, show } from '../../components/states.ts';
import { findUser, readUser } from '../../components/users.ts';
import { textOf, type Values } from '../../elements.ts';
import { formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { User } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import { type Scope, scopeGroups } from '../../scopes.ts';
import type { Context, View } from '../../view.ts';

/** The form of a new key. */
export const newKeyView = (context: Context): View => {
  const user = context.query.get('user') ?? undefined;
  const loading = load(context, async () => {
    const [caller, owner] = await Promise.all([
      context.api.caller(),
      user ? readUser(context, user) : undefined,
    ]);
    return keyForm(context, caller, owner);
  });
  return {
    title: 'Create a key',
    hasUnsaved: () => loading.value?.hasUnsaved() ?? false,
    template: () => show(loading, (form) => form()),
  };
};

const kinds: readonly Choice<'secret' | 'publishable'>[] = [
  ['secret', 'A program or a person', 'It must be kept secret.'],
  ['publishable', 'A web page', 'All visitors can see it. It can only read the products that are for sale.'],
];

const keyForm = (context: Context, caller: Caller, owner: User | undefined): ViewForm => {
  const { api, signal, update } = context;
  const isAdmin = mayBeAdmin(caller);
  const own = caller.key;
  // A key cannot give a right that it does not have.
  const groups = scopeGroups
    .map(({ title, items }) => ({
      title,
      items: items.filter(([scope]) => own?.scopes.includes(scope) ?? true),
    }))
    .filter(({ items }) => items.length > 0);
  const chosen = new Set<Scope>();
  let kind: 'secret' | 'publishable' = 'secret';
  let isAll = true;
  const choose =
    <Value>(change: (value: Value) => void) =>
    (value: Value) => {
      change(value);
      update();
    };

  const fields = () => html`
    ${field('Name', 'name', { required: true, maxlength: 200, hint: 'Where it is used: “Till in the shop”, “Anna’s laptop”. You find it by this name when it has to be revoked.' })}
    ${
      isAdmin
        ? html`
            ${field('E-mail of the user it acts for', 'email', { ...{ type: 'email', maxlength: 254, value: owner?.email ?? '' }, hint: 'It can do no more than this user. Leave it empty for yourself.' })}
            ${radios(
              'Who uses it',
              'kind',
              kinds,
              kind,
              choose((value) => {
                kind = value;
              }),
            )}
          `
        : html`<p class="soft">It acts for yourself. Only an administrator can create keys for others, or for web pages.</p>`
    }
    ${
      kind === 'publishable'
        ? nothing
        : html`
            ${radios(
              'What it may do',
              'what',
              [
                ['all', 'All that you and this user may do'],
                [
                  'some',
                  'Only what I choose',
                  'Better for a program: what it may not do, a thief of the key cannot do either.',
                ],
              ],
              isAll ? 'all' : 'some',
              choose((value) => {
                isAll = value === 'all';
              }),
            )}
            ${isAll ? nothing : checkboxGroups(context, groups, { chosen, allOf: ({ items }) => items.map(([scope]) => scope) })}
          `
    }
    ${field('Valid until', 'until', {
      type: 'date',
      hint: own?.expires_at
        ? `The end of this day, at the latest ${formatTime(own.expires_at)}, as your own key. Leave it empty for that.`
        : 'The end of this day. Leave it empty for a key that is valid until it is revoked.',
    })}
    ${isAdmin ? field('Requests in a minute', 'limit', { inputmode: 'numeric', maxlength: 7, hint: 'How many at most, if not as many as usual. Optional.' }) : nothing}
  `;

  const run = async (values: Values, keyOf: KeyOf) => {
    const text = (name: string) => textOf(values, name);
    const [email, until, limit] = [text('email'), text('until'), text('limit')];
    if (kind === 'secret' && !isAll && chosen.size === 0)
      throw new Error('Choose at least one thing that it may do.');
    if (limit !== '' && !/^\d+$/.test(limit))
      throw new Error('Type a whole number of requests, such as 600.');
    const user = email === '' ? undefined : await findUser(context, email);
    if (email !== '' && user === undefined)
      throw new Error(`There is no user with the e-mail address ${email}.`);
    const body = {
      name: text('name'),
      ...(user && { user_id: user.id }),
      ...(kind === 'publishable' ? { publishable: true } : !isAll && { scopes: [...chosen] }),
      ...(until && { expires_at: new Date(`${until}T23:59:59`).toISOString() }),
      ...(limit && { rate_limit: Number(limit) }),
    };
    const { data: made } = await api.send('POST /api-keys', { body, idempotencyKey: keyOf(body) });
    await showSecret(context, secretOf(made));
    if (!signal.aborted) location.replace(hrefOf(`/keys/${made.id}`));
  };
  return viewForm(context, { submit: 'Create the key', cancel: '#/keys', fields, run });
};

const secretOf = ({ token = '', publishable, name }: DataOf<'POST /api-keys'>) => ({
  title: `The key “${name}”`,
  label: 'Key',
  secret: token,
  text: publishable
    ? 'Put it into your web page. It is shown this once.'
    : 'Give it to the program or person it is for, and to no one else: who has it can do what it may do. It is shown this once.',
});
