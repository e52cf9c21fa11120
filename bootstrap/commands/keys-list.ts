import { apiKeyView } from '#adapters/http/v1/api-keys.ts';
import { Page } from '#application/page.ts';
import type { Portico } from '#application/portico.ts';
import type { ApiKey } from '#domain/api-key.ts';
import { columns } from '../command-line/columns.ts';
import { command } from '../command-line/command.ts';
import { flag, value, words } from '../command-line/option.ts';
import { founder } from '../founder.ts';
import { userNamed } from '../user-named.ts';
import { withPortico } from '../with-portico.ts';

export const keysList = command({
  name: 'keys list',
  says: 'Lists API keys, without their tokens, which nobody knows any more.',
  options: {
    user: value('EMAIL|ID', { says: 'Only those of this user.', read: words }),
    json: flag('Writes them as a JSON list.'),
  },
  run: ({ user, json }, terminal) =>
    withPortico(async ({ portico }) => {
      const owner = user === undefined ? undefined : (await userNamed(user, portico)).id;
      const keys = (await everyKey(portico)).filter(({ userId }) => owner === undefined || userId === owner);
      if (json) return terminal.print(`${JSON.stringify(keys.map(apiKeyView.write))}\n`);
      if (keys.length === 0) return terminal.note('There are no keys. portico keys create makes one.');
      const emails = await emailsOf(portico, keys);
      const rows = keys.map((key) => [
        key.id,
        emails.get(key.userId) ?? key.userId,
        key.name,
        key.expiresAt ?? 'never',
        key.lastUsedAt ?? 'never',
      ]);
      return terminal.print(columns([['ID', 'USER', 'NAME', 'EXPIRES', 'LAST USED'], ...rows]));
    }),
});

const everyKey = async ({ useCases, unitOfWork }: Portico): Promise<ApiKey[]> => {
  const keys: ApiKey[] = [];
  let page: Page<ApiKey> = { ...Page.empty, hasMore: true };
  while (page.hasMore) {
    const wanted = { after: keys.at(-1)?.id, limit: 500 };
    page = await unitOfWork.read(useCases.apiKeys.list(founder, wanted));
    keys.push(...page.rows);
  }
  return keys;
};

const emailsOf = async (
  { unitOfWork }: Portico,
  keys: readonly ApiKey[],
): Promise<ReadonlyMap<string, string>> => {
  const emails = new Map<string, string>();
  for (const id of new Set(keys.map(({ userId }) => userId))) {
    const user = await unitOfWork.read(({ users }) => users.find(id));
    if (user !== undefined) emails.set(id, user.email);
  }
  return emails;
};
