import { apiKeyView } from '#adapters/http/v1/api-keys.ts';
import type { Application } from '#application/application.ts';
import { readAll } from '#application/pages.ts';
import type { ApiKey } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { renderTable } from '../framework/terminal-text.ts';
import { withExistingApplication } from '../open-application.ts';
import { findUser } from '../system-caller.ts';

export const keysList = command({
  name: 'keys list',
  description: 'List API keys, without their tokens, which cannot be shown again.',
  options: {
    user: value('EMAIL|ID', { description: 'Only the keys of this user.', parse: nonEmpty }),
    json: flag('Print the keys as a JSON array.'),
  },
  run: ({ user, json }, terminal) =>
    withExistingApplication(async ({ application }) => {
      const owner = user === undefined ? undefined : (await findUser(user, application)).id;
      const keys = await keysOf(owner, application);
      if (json) return terminal.print(`${JSON.stringify(keys.map(apiKeyView.encode))}\n`);
      if (keys.length === 0) return terminal.notify('No keys found. Run portico keys create to create one.');
      const emails = await emailsOf(application, keys);
      const rows = keys.map((key) => [
        key.id,
        emails.get(key.userId) ?? key.userId,
        key.name,
        key.expiresAt ?? 'never',
        key.lastUsedAt ?? 'never',
      ]);
      return terminal.print(renderTable([['ID', 'USER', 'NAME', 'EXPIRES', 'LAST USED'], ...rows]));
    }),
});

/** @param owner undefined for the keys of all users */
const keysOf = (owner: UserId | undefined, { unitOfWork }: Application): Promise<readonly ApiKey[]> =>
  unitOfWork.read(({ apiKeys }) =>
    Array.fromAsync(readAll(apiKeys, owner === undefined ? {} : { userId: owner })),
  );

const emailsOf = async (
  { unitOfWork }: Application,
  keys: readonly ApiKey[],
): Promise<ReadonlyMap<string, string>> => {
  const emails = new Map<string, string>();
  await unitOfWork.read(async ({ users }) => {
    for (const id of new Set(keys.map(({ userId }) => userId))) {
      const user = await users.find(id);
      if (user !== undefined) emails.set(id, user.email);
    }
  });
  return emails;
};
