import { expect } from 'chai';
import type { ApiResponse } from '../../support/client.ts';
import { expectProblem } from '../../support/protocol.ts';
import type { RouteShop } from '../route-shop.ts';
import type { Declared } from '../table.ts';

/** What every route keeps, or every route of a kind. */
export interface Rule {
  /** A sentence about a route. */
  readonly title: string;
  readonly isFor: (operation: Declared) => boolean;
  /** @throws when the route breaks it */
  readonly check: (shop: RouteShop, operation: Declared) => Promise<void>;
}

export const everyRoute = (): boolean => true;

/** Expects 422 for exactly these fields or parameters, in any order. */
export const expectFields = (response: ApiResponse, ...fields: readonly string[]): void => {
  expectProblem(response, '422 VALIDATION_ERROR');
  const named = response.body.error.details.map(({ field }: { readonly field: string }) => field);
  expect(named, response.text).to.have.members(fields);
};

/** The address with one more parameter. */
export const withQuery = (address: string, query: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${query}`;
