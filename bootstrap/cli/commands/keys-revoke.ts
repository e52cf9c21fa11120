import type { ApiKeyId } from '#domain/api-key.ts';
import { DomainError } from '#domain/errors.ts';
import { Id } from '#domain/id.ts';
import { command } from '../framework/command.ts';
import { required } from '../framework/option.ts';
import { withPorticoThere } from '../open-application.ts';
import { founder } from '../system-caller.ts';

export const keysRevoke = command({
  name: 'keys revoke',
  says: 'Revokes an API key: within five seconds it works nowhere.',
  operands: {
    id: required('ID', {
      says: 'The key’s id, which keys list shows.',
      takes: 'the id of a key',
      read: (text) => Id.parse<ApiKeyId>(text),
    }),
  },
  run: ({ id }, terminal) =>
    withPorticoThere(async ({ portico: { useCases, unitOfWork } }) => {
      await unitOfWork.run(useCases.apiKeys.revoke(founder, { id, seen: undefined })).catch((error) => {
        throw error instanceof DomainError && error.kind === 'not-found'
          ? new DomainError('not-found', `There is no key ${id}.`)
          : error;
      });
      await terminal.note(`Revoked the key ${id}.`);
    }),
});
