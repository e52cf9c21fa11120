import type { InlineEdit } from '../../components/inline-edit.ts';
import { ChangedMeanwhileError, errorOf } from '../../errors.ts';
import type { User } from '../../resources.ts';
import type { Context } from '../../view.ts';

export type CustomerField = 'name' | 'external_id';

const fields: Readonly<Record<CustomerField, { readonly label: string; readonly maxlength: number }>> = {
  name: { label: 'Name', maxlength: 200 },
  external_id: { label: 'Number in another system', maxlength: 255 },
};

/**
 * A field of a customer that is edited where it stands.
 * @param replace gets the customer as it is now
 */
export const customerEdit = (
  context: Pick<Context, 'api'>,
  user: User,
  field: CustomerField,
  replace: (user: User) => void,
): InlineEdit<User> => {
  const { label, maxlength } = fields[field];
  const path = { user_id: user.id };
  const read = async () => {
    const { data } = await context.api.send('GET /users/{user_id}', { path });
    replace(data);
    return data;
  };
  return {
    ...{ key: `${field}-${user.id}`, label, maxlength, read },
    ...{ text: user[field] ?? '', shown: user[field] ?? 'None' },
    of: (changed) => customerEdit(context, changed, field, replace),
    save: async (text, _, idempotencyKey) => {
      const body = { [field]: text === '' && field === 'external_id' ? null : text };
      try {
        const request = { path, body, ifMatch: user.version, idempotencyKey };
        replace((await context.api.send('PATCH /users/{user_id}', request)).data);
        return 'Saved.';
      } catch (error) {
        if (errorOf(error).code !== 'PRECONDITION_FAILED') throw error;
        throw new ChangedMeanwhileError(
          'It was changed meanwhile. Save again to replace that.',
          await read(),
        );
      }
    },
  };
};
