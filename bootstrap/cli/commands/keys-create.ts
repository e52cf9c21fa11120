import { apiKeyView } from '#adapters/http/v1/api-keys.ts';
import { ensureOperator } from '#application/operator-account.ts';
import type { IssueKey } from '#application/use-cases/api-keys.ts';
import { type Scope, scopes } from '#domain/access.ts';
import { DomainError } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { withApplication, withExistingApplication } from '../open-application.ts';
import { findUser, systemCaller } from '../system-caller.ts';

const parseScopes = (text: string): readonly Scope[] | undefined => {
  const named = text.split(',').map((name) => scopes.find((scope) => scope === name.trim()));
  return named.every((scope) => scope !== undefined) ? named : undefined;
};

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
    user: value('EMAIL|ID', { description: 'The user whom the key belongs to.', parse: nonEmpty }),
    admin: flag('Create a key of the operator. Excludes --user.'),
    name: value('NAME', {
      description: 'Where the key is used, so that you know which one to revoke.',
      parse: nonEmpty,
    }),
    scopes: value('SCOPE,…', {
      description: "What the key can do. Default: all scopes of the user's role.",
      expects: `a comma-separated list of ${scopes.join(', ')}`,
      parse: parseScopes,
    }),
    expires: value('TIME', {
      description: 'When the key expires: 12h, 90d, or a date such as 2027-06-30. Default: never.',
      expects: 'a duration such as 12h or 90d, or a date such as 2027-06-30',
      parse: parseExpiry,
    }),
    json: flag('Print the key and its token as JSON.'),
  },
  run: async ({ user, admin, name, scopes, expires, json }, terminal) => {
    if (admin === (user !== undefined)) {
      throw new UsageError('keys create requires exactly one of --user and --admin.');
    }
    const open = admin ? withApplication : withExistingApplication;
    await open(async ({ application: { useCases, unitOfWork }, clock, newId }) => {
      const owner =
        user === undefined
          ? await ensureOperator({ unitOfWork, clock, newId })
          : (await findUser(user, { useCases, unitOfWork })).id;
      const details: IssueKey = {
        userId: owner,
        name: name ?? 'Made on the command line',
        expiresAt: expiresAt(expires, clock.now()),
        ...(scopes && { scopes }),
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

/** @throws DomainError 'validation', which names the option where the domain would name its field */
const expiresAt = (expiry: Expiry | undefined, now: Instant): Instant | null => {
  if (expiry === undefined) return null;
  const instant = 'at' in expiry ? expiry.at : Instant.plus(now, expiry.after);
  if (instant <= now) throw new DomainError('validation', '--expires must be in the future.');
  return instant;
};
