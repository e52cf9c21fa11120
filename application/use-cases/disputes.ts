import type { DisputeId } from '#domain/dispute.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import { requireFound } from '../preconditions.ts';
import { query } from '../use-case.ts';

export interface ListDisputes {
  readonly filter: Collections['disputes']['filter'];
  readonly page: PageRequest<DisputeId>;
}

/** Disputes of payments, as the provider reports them. Staff read them. Evidence is given at the provider. */
export const disputeUseCases = () => ({
  list: query(
    'payments:read',
    [],
    (_caller, { filter, page }: ListDisputes) =>
      ({ disputes }) =>
        disputes.page(filter, page),
    'staff',
  ),

  get: query(
    'payments:read',
    ['not-found'],
    (_caller, id: DisputeId) =>
      async ({ disputes }) =>
        requireFound(await disputes.find(id)),
    'staff',
  ),
});
