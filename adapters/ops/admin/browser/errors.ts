import type { FieldFault } from '../client/index.ts';

/** A field has changed since it was shown. `resource` is how all is now; saving again replaces it. */
export class ChangedMeanwhileError<Resource = unknown> extends Error {
  readonly resource: Resource;

  constructor(message: string, resource: Resource) {
    super(message);
    this.resource = resource;
  }
}

/** What the page reads of an error. One of the API has all of it, any other one a message. */
export interface ShownError {
  readonly message: string;
  readonly name?: string | undefined;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly details?: readonly FieldFault[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** @returns what was thrown, as far as the page reads it */
export const errorOf = (thrown: unknown): ShownError => (isError(thrown) ? thrown : { message: `${thrown}` });

const isError = (thrown: unknown): thrown is ShownError => typeof thrown === 'object' && thrown !== null;
