import { readAll } from '#application/pages.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { ApiKey } from '#domain/api-key.ts';
import { Instant } from '#domain/instant.ts';
import { inspectStore } from '../../../composition/ports/open-store.ts';
import { isPersistent } from '../../../composition/ports/store-kind.ts';
import type { Config } from '../../../config/config.ts';
import { withExistingApplication } from '../../open-application.ts';

const { ok, warn } = findingsFor('admin keys');

const msPerDay = 86_400_000;

/** How long a key of an administrator may be in use. */
const maxAgeDays = 180;

/** Whether the keys of administrators end, none is in the environment of the server, and none stands in a web page. */
export const checkAdminKeys = async ({
  adminApiKey,
  database,
}: Pick<Config, 'adminApiKey' | 'database'>): Promise<readonly Finding[]> => {
  const inEnvironment =
    adminApiKey === undefined
      ? []
      : [
          warn(
            'ADMIN_API_KEY is set: it never ends, and everything that reads the environment is an administrator',
            'Run portico keys create --admin --expires 90d, use that key instead, remove the setting and restart.',
          ),
        ];
  if (!isPersistent(database)) return inEnvironment;
  const inspection = await inspectStore(database).catch(() => undefined);
  // Opening any other database would change its tables.
  if (!inspection?.exists || inspection.problem !== undefined) return inEnvironment;
  if (inspection.pending.length > 0 || inspection.unknown.length > 0) return inEnvironment;
  const keys = await readAdminKeys();
  const [publishable, secret] = [keys.filter(isPublishable), keys.filter((key) => !isPublishable(key))];
  return [...inEnvironment, ...judge(secret, adminApiKey !== undefined), ...judgePublishable(publishable)];
};

/** The keys of administrators that work now. */
const readAdminKeys = (): Promise<readonly ApiKey[]> =>
  withExistingApplication(({ application: { unitOfWork }, clock }) =>
    unitOfWork.read(async ({ apiKeys, users }) => {
      const keys: ApiKey[] = [];
      const now = clock.now();
      for await (const key of readAll(apiKeys, {})) {
        if (key.expiresAt !== null && key.expiresAt <= now) continue;
        if ((await users.find(key.userId))?.role === 'admin') keys.push(key);
      }
      return keys;
    }),
  );

const judge = (keys: readonly ApiKey[], hasOther: boolean, now = Date.now()): readonly Finding[] => {
  if (keys.length === 0) {
    if (hasOther) return [];
    return [warn('no administrator has a key', 'Run portico keys create --admin --expires 90d.')];
  }
  const endless = keys.filter(({ expiresAt }) => expiresAt === null);
  const old = keys.filter(({ createdAt }) => now - Instant.milliseconds(createdAt) > maxAgeDays * msPerDay);
  const findings = [
    ...(endless.length > 0
      ? [warn(`administrators have ${counted(endless)} without an end: ${namesOf(endless)}`, rotate)]
      : []),
    ...(old.length > 0
      ? [
          warn(
            `administrators have ${counted(old)} from more than ${maxAgeDays} days ago: ${namesOf(old)}`,
            rotate,
          ),
        ]
      : []),
  ];
  return findings.length > 0 ? findings : [ok(`administrators have ${counted(keys)}, each with an end`)];
};

const isPublishable = ({ publishable }: ApiKey): boolean => publishable;

/** They read no more than others, but a key of a customer who can do nothing else is easier to judge. */
const judgePublishable = (keys: readonly ApiKey[]): readonly Finding[] =>
  keys.length === 0
    ? []
    : [
        warn(
          `${counted(keys)} for web pages belong${keys.length === 1 ? 's' : ''} to administrators: ${namesOf(keys)}`,
          'Create each for a user of its own, with portico keys create --user EMAIL --publishable, change over, then portico keys revoke ID.',
        ),
      ];

const rotate =
  'Create its successor with portico keys create --admin --expires 90d, change over, then portico keys revoke ID.';

const counted = (keys: readonly ApiKey[]): string => `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`;

const maxNames = 5;

const namesOf = (keys: readonly ApiKey[]): string => {
  const names = keys.slice(0, maxNames).map(({ id, name }) => `${name} (${id})`);
  return keys.length > maxNames ? `${names.join(', ')} and ${keys.length - maxNames} more` : names.join(', ');
};
