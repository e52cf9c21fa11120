import type { ApiKeyId } from '#domain/api-key.ts';
import { DomainError } from '#domain/errors.ts';
import { Id } from '#domain/id.ts';
import { command, required } from '../framework/command.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';

export const keysRevoke = command({
  name: 'keys revoke',
  description: 'Revoke an API key. It stops working everywhere within five seconds.',
  operands: {
    id: required('ID', {
      description: "The key's ID, as shown by portico keys list.",
      expects: 'the ID of a key, as shown by portico keys list',
      parse: (text) => Id.parse<ApiKeyId>(text),
    }),
  },
  run: ({ id }, terminal) =>
    withExistingApplication(async ({ application: { useCases, unitOfWork } }) => {
      await unitOfWork
        .run(useCases.apiKeys.revoke(systemCaller, { id, expectedVersions: undefined }))
        .catch((error) => {
          throw error instanceof DomainError && error.kind === 'not-found'
            ? new DomainError('not-found', `There is no key ${id}.`)
            : error;
        });
      await terminal.notify(`Revoked the key ${id}.`);
    }),
});
