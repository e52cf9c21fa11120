import { apiKeyView } from '#adapters/http/v1/api-keys.ts';
import { ensureOperator } from '#application/operator-account.ts';
import type { IssueKey } from '#application/use-cases/api-keys.ts';
import { type Scope, scopes } from '#domain/access.ts';
import { Instant } from '#domain/instant.ts';
import { type Expiry, parseExpiry } from '../expiry.ts';
import { findUser } from '../find-user.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { withApplication, withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';

const scopesIn = (text: string): readonly Scope[] | undefined => {
  const named = text.split(',').map((name) => scopes.find((scope) => scope === name.trim()));
  return named.every((scope) => scope !== undefined) ? named : undefined;
};

export const keysCreate = command({
  name: 'keys create',
  description: 'Makes an API key and shows its token on standard output, this once.',
  details: [
    'With --admin the key is the operator’s, an administrator who is made when there is none: the way to a first key on an empty database.',
  ],
  options: {
    user: value('EMAIL|ID', { description: 'Whose key it is.', parse: nonEmpty }),
    admin: flag('The operator’s key, in place of --user.'),
    name: value('NAME', {
      description: 'Where it is used, so that one knows what to revoke.',
      parse: nonEmpty,
    }),
    scopes: value('SCOPE,…', {
      description: 'What it may be used for; all that its user may do, unless it is said.',
      expects: `a comma-separated list of ${scopes.join(', ')}`,
      parse: scopesIn,
    }),
    expires: value('TIME', {
      description: 'When it stops working: 12h, 90d, or a date such as 2027-06-30; never, unless it is said.',
      expects: 'a duration such as 12h or 90d, or a date such as 2027-06-30',
      parse: parseExpiry,
    }),
    json: flag('Writes the key and its token as JSON.'),
  },
  run: async ({ user, admin, name, scopes, expires, json }, terminal) => {
    if (admin === (user !== undefined))
      throw new UsageError('keys create requires exactly one of --user and --admin.');
    const open = admin ? withApplication : withExistingApplication;
    await open(async ({ portico: { useCases, unitOfWork }, clock, newId }) => {
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
        await terminal.notify(`Made the key ${key.id}. Its token is shown this once:`);
        await terminal.print(`${token}\n`);
      }
    });
  },
});

const expiresAt = (expiry: Expiry | undefined, now: Instant): Instant | null => {
  if (expiry === undefined) return null;
  return 'at' in expiry ? expiry.at : Instant.plus(now, expiry.after);
};
