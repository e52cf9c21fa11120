import { statusChip } from '../../components/chips.ts';
import { nothingFoundText } from '../../components/nothing-found.ts';
import { pager } from '../../components/pager.ts';
import { searchForm } from '../../components/search.ts';
import { emptyState, load, show } from '../../components/states.ts';
import { errorOf } from '../../errors.ts';
import { formatAgo, formatTime } from '../../format.ts';
import { html, nothing, repeat } from '../../lit.ts';
import type { ListPage, User } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';

/** The newest customers first. */
export const customersView = (context: Context): View => {
  const { query } = context;
  const [text, cursor] = ['q', 'cursor'].map((name) => query.get(name) ?? undefined);
  const customers = load(context, () => listCustomers(context, text, cursor));

  const table = ({ data, pagination }: ListPage<User>) =>
    data.length === 0
      ? text === undefined
        ? emptyState('No customers yet', 'They appear here once they sign up in your shop.')
        : emptyState(
            'No customer found',
            html`${nothingFoundText(text)} Look the e-mail address up, in your mail or in one of their
              <a href="#/orders">orders</a>, and search for it as a whole.`,
          )
      : html`
          <table class="list">
            <caption class="hidden">Customers, the newest first</caption>
            <thead>
              <tr>
                <th scope="col">Customer</th><th scope="col">E-mail</th>
                <th scope="col">Number in another system</th><th scope="col">Customer since</th>
              </tr>
            </thead>
            <tbody>${repeat(data, ({ id }) => id, row)}</tbody>
          </table>
          ${pager(pagination, cursor, (next) => hrefOf('/customers', { q: text, cursor: next }))}
        `;

  return {
    title: 'Customers',
    template: () => html`
      <div class="tools">
        ${searchForm({
          label: 'Search customers',
          placeholder: 'E-mail',
          about: 'Search for a whole e-mail address or number in another system.',
          text,
          hrefOf: (wanted) => hrefOf('/customers', { q: wanted }),
        })}
      </div>
      ${text === undefined ? nothing : html`<p>Found for <b>${text}</b>. <a href="#/customers">Show all customers</a></p>`}
      ${show(customers, table)}
    `,
  };
};

const row = ({ id, name, email, external_id: externalId, status, created_at: at }: User) => html`<tr>
  <th scope="row"><a class="row long" href=${hrefOf(`/customers/${id}`)}>${name}</a> ${status === 'erased' ? statusChip(status) : nothing}</th>
  <td data-label="E-mail">${email}</td>
  <td data-label="Number in another system">${externalId ?? '—'}</td>
  <td data-label="Customer since"><time datetime=${at} title=${formatTime(at)}>${formatAgo(at)}</time></td>
</tr>`;

const listCustomers = async (
  { api, signal }: Context,
  text: string | undefined,
  cursor: string | undefined,
): Promise<ListPage<User>> => {
  const found = text !== undefined && (text.includes('@') ? { email: text } : { external_id: text });
  const query = {
    ...({ sort: '-id', limit: 25, role: 'customer' } as const),
    ...{ ...found, ...(cursor && { cursor }) },
  };
  try {
    return await api.send('GET /users', { query, signal });
  } catch (error) {
    // A text that can be no address and no id finds no customer.
    if (errorOf(error).code !== 'VALIDATION_ERROR' || text === undefined) throw error;
    return { data: [], pagination: { next_cursor: null } };
  }
};
