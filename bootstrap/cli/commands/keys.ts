import { apiKeyView } from '#adapters/http/v1/api-keys.ts';
import { ensureOperator } from '#application/accounts/operator-account.ts';
import type { Application } from '#application/application.ts';
import { readAll } from '#application/pages.ts';
import type { IssueKey } from '#application/use-cases/api-keys.ts';
import { Role, type Scope, scopes } from '#domain/access.ts';
import { ApiKey } from '#domain/api-key.ts';
import { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { renderTable } from '../framework/table.ts';
import { withApplication, withExistingApplication } from '../open-application.ts';
import { emailsOf, findUser, systemCaller, userReference } from '../system-caller.ts';

const parseScopes = (text: string): readonly Scope[] | undefined => {
  const named = text.split(',').map((name) => scopes.find((scope) => scope === name.trim()));
  return named.every((scope) => scope !== undefined) ? named : undefined;
};

/** @returns undefined for anything but a rate limit */
export const parseRateLimit = (text: string): number | undefined =>
  /^[1-9]\d*$/.test(text) && ApiKey.rules.rateLimit.violation(Number(text)) === undefined
    ? Number(text)
    : undefined;

/** A point in time, or milliseconds from now. */
type Expiry = { readonly at: Instant } | { readonly after: number };

const hour = 3_600_000;
const units: Readonly<Record<string, number>> = { h: hour, d: 24 * hour };

/** Parses `12h`, `90d`, `2027-06-30` (midnight UTC) or RFC 3339. @returns undefined for anything else */
const parseExpiry = (text: string): Expiry | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const length = units[unit];
  if (length !== undefined) return { after: Number(count) * length };
  const at = Instant.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  return at === undefined ? undefined : { at };
};

export const keysCreate = command({
  name: 'keys create',
  description: 'Create an API key and print its token, this once.',
  details: [
    'With --admin the key belongs to the operator, an administrator who is created when there is none. This gives you the first key of an empty database.',
  ],
  options: {
    user: value('EMAIL|ID', { description: 'The user whom the key belongs to.', ...userReference }),
    admin: flag('Create a key of the operator. Excludes --user.'),
    name: value('NAME', {
      description: 'Where the key is used, so that you know which one to revoke.',
      rule: ApiKey.rules.name,
      parse: nonEmpty,
    }),
    scopes: value('SCOPE,…', {
      description:
        "What the key can do. Default: all scopes of the user's role but api-keys:write, which creates keys. With --admin it is included.",
      expects: `a comma-separated list of ${scopes.join(', ')}`,
      parse: parseScopes,
    }),
    expires: value('TIME', {
      description: 'When the key expires: 12h, 90d, or a date such as 2027-06-30. Default: never.',
      expects: 'a duration such as 12h or 90d, or a date such as 2027-06-30',
      parse: parseExpiry,
    }),
    publishable: flag(
      'Create a key that may stand in a web page: it reads active products only. Give it a user of its own.',
    ),
    rateLimit: value('N', {
      description: 'Requests of the key in each window. Default: RATE_LIMIT_MAX.',
      expects: 'a number of requests, from 1 to 1000000',
      parse: parseRateLimit,
    }),
    json: flag('Print the key and its token as JSON.'),
  },
  run: async ({ user, admin, name, scopes, expires, publishable, rateLimit = null, json }, terminal) => {
    if (admin === (user !== undefined)) {
      throw new UsageError('keys create requires exactly one of --user and --admin.');
    }
    const open = admin ? withApplication : withExistingApplication;
    await open(async ({ application: { useCases, unitOfWork }, clock, newId }) => {
      const owner =
        user === undefined
          ? { id: await ensureOperator({ unitOfWork, clock, newId }), role: 'admin' as const }
          : await findUser(user, { useCases, unitOfWork });
      const details: IssueKey = {
        userId: owner.id,
        name: name ?? 'Made on the command line',
        expiresAt: expiresAt(expires, clock.now()),
        publishable,
        rateLimit,
        ...(user === undefined || publishable
          ? scopes && { scopes }
          : { scopes: scopes ?? scopesOf(owner.role) }),
      };
      const { key, token } = await unitOfWork.run(useCases.apiKeys.issue(systemCaller, details));
      if (json) {
        await terminal.print(`${JSON.stringify({ ...apiKeyView.encode(key), token })}\n`);
      } else {
        await terminal.notify(`Created the key ${key.id}. Copy its token, which is shown this once:`);
        await terminal.print(`${token}\n`);
      }
    });
  },
});

/** What a key can do unless its scopes are named: all but to create keys, which would survive it when it is revoked. */
const scopesOf = (role: Role): readonly Scope[] =>
  Role.scopes(role).filter((scope) => scope !== 'api-keys:write');

/** @throws UsageError for a time in the past */
const expiresAt = (expiry: Expiry | undefined, now: Instant): Instant | null => {
  if (expiry === undefined) return null;
  const instant = 'at' in expiry ? expiry.at : Instant.plus(now, expiry.after);
  if (instant <= now) throw new UsageError('--expires must be in the future.');
  return instant;
};

export const keysList = command({
  name: 'keys list',
  description: 'List API keys, without their tokens, which cannot be shown again.',
  isReadOnly: true,
  options: {
    user: value('EMAIL|ID', { description: 'Only the keys of this user.', ...userReference }),
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
        key.publishable ? 'publishable' : 'secret',
        key.rateLimit?.toString() ?? 'usual',
        key.expiresAt ?? 'never',
        key.lastUsedAt ?? 'never',
      ]);
      return terminal.print(
        renderTable(
          [['ID', 'USER', 'NAME', 'KIND', 'LIMIT', 'EXPIRES', 'LAST USED'], ...rows],
          terminal.columns,
        ),
      );
    }),
});

/** @param owner undefined for the keys of all users */
const keysOf = (owner: UserId | undefined, { unitOfWork }: Application): Promise<readonly ApiKey[]> =>
  unitOfWork.read(({ apiKeys }) =>
    Array.fromAsync(readAll(apiKeys, owner === undefined ? {} : { userId: owner })),
  );
