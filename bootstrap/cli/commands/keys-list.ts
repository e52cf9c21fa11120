import { apiKeyView } from '#adapters/http/v1/api-keys.ts';
import type { Application } from '#application/application.ts';
import { readAll } from '#application/read-pages.ts';
import type { ApiKey } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import { findUser } from '../find-user.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { renderTable } from '../framework/terminal-text.ts';
import { withExistingApplication } from '../open-application.ts';

export const keysList = command({
  name: 'keys list',
  description: 'Lists API keys, without their tokens, which nobody knows any more.',
  options: {
    user: value('EMAIL|ID', { description: 'Only those of this user.', parse: nonEmpty }),
    json: flag('Writes them as a JSON list.'),
  },
  run: ({ user, json }, terminal) =>
    withExistingApplication(async ({ portico }) => {
      const owner = user === undefined ? undefined : (await findUser(user, portico)).id;
      const keys = await keysOf(owner, portico);
      if (json) return terminal.print(`${JSON.stringify(keys.map(apiKeyView.encode))}\n`);
      if (keys.length === 0) return terminal.notify('There are no keys. portico keys create makes one.');
      const emails = await emailsOf(portico, keys);
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

/** @param owner everybody's, unless it is said */
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
