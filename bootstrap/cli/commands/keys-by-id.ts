import { apiKeyView } from '#adapters/http/v1/api-keys.ts';
import { ApiKey, type ApiKeyId } from '#domain/api-key.ts';
import { DomainError } from '#domain/errors.ts';
import { Id } from '#domain/resource.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';
import { parseRateLimit } from './keys.ts';

const keyId = required('ID', {
  description: "The key's ID, as shown by portico keys list.",
  expects: 'the ID of a key, as shown by portico keys list',
  parse: (text) => Id.parse<ApiKeyId>(text),
});

/** Replaces the message of an error of the kind 'not-found'. */
const reportNotFound =
  (message: string) =>
  (error: unknown): never => {
    throw error instanceof DomainError && error.kind === 'not-found'
      ? new DomainError('not-found', message)
      : error;
  };

export const keysUpdate = command({
  name: 'keys update',
  description: 'Change the name or the rate limit of an API key, everywhere within five seconds.',
  operands: { id: keyId },
  options: {
    name: value('NAME', {
      description: 'Where the key is used, so that you know which one to revoke.',
      rule: ApiKey.rules.name,
      parse: nonEmpty,
    }),
    rateLimit: value('N', {
      description: 'Requests of the key in each window, or none for the usual number, RATE_LIMIT_MAX.',
      expects: 'a number of requests, from 1 to 1000000, or none',
      parse: (text) => (text === 'none' ? { none: true } : parseRateLimit(text)),
    }),
    json: flag('Print the key as JSON.'),
  },
  run: async ({ id, name, rateLimit, json }, terminal) => {
    if (name === undefined && rateLimit === undefined) {
      throw new UsageError('keys update requires --name, --rate-limit or both.');
    }
    await withExistingApplication(async ({ application: { useCases, unitOfWork } }) => {
      const changes = {
        ...(name !== undefined && { name }),
        ...(rateLimit !== undefined && { rateLimit: typeof rateLimit === 'number' ? rateLimit : null }),
      };
      const change = useCases.apiKeys.change(systemCaller, { id, expectedVersions: undefined, changes });
      const key = await unitOfWork.run(change).catch(reportNotFound(`There is no key ${id}.`));
      if (json) await terminal.print(`${JSON.stringify(apiKeyView.encode(key))}\n`);
      else await terminal.notify(`Updated the key ${id}.`);
    });
  },
});

export const keysRevoke = command({
  name: 'keys revoke',
  description: 'Revoke an API key. It stops working everywhere within five seconds.',
  operands: {
    id: keyId,
  },
  options: {
    children: flag('Also revoke the keys that were created with it, and the keys created with those.'),
  },
  run: ({ id, children }, terminal) =>
    withExistingApplication(async ({ application: { useCases, unitOfWork } }) => {
      const revokeOne = useCases.apiKeys.revoke(systemCaller, { id, expectedVersions: undefined });
      const revoking: Promise<readonly ApiKeyId[]> = children
        ? unitOfWork.run(useCases.apiKeys.revokeFamily(systemCaller, id))
        : unitOfWork.run(revokeOne).then(() => [id]);
      const revoked = await revoking.catch(
        reportNotFound(`There is no key ${id}${children ? ' and none created with it' : ''}.`),
      );
      for (const each of revoked) await terminal.notify(`Revoked the key ${each}.`);
    }),
});
