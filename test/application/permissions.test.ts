import { expect } from 'chai';
import {
  type Caller,
  requireOwnerOrAdmin,
  requireOwnerOrStaff,
  requirePermission,
  requireScopes,
} from '#application/preconditions.ts';
import type { UseCase } from '#application/use-case.ts';
import { Role, type Scope, scopes } from '#domain/access.ts';
import { DomainError } from '#domain/errors.ts';
import type { UserId } from '#domain/user.ts';
import { everyUseCase } from '../support/every-use-case.ts';
import { nowhere } from './fixture.ts';

/** Every use case, with the permission that it says it needs. */
const all = Object.entries<Readonly<Record<string, unknown>>>(everyUseCase).flatMap(([resource, named]) =>
  Object.entries(named).flatMap(([name, useCase]) =>
    typeof useCase === 'function' ? [{ resource, name, useCase: useCase as AnyUseCase }] : [],
  ),
);

type AnyUseCase = UseCase<never, unknown>;

const caller = (role: Role, allowed: readonly Scope[]): Caller => ({
  userId: nowhere(),
  role,
  scopes: allowed,
  keyId: nowhere(),
});

const another = '01900000-0000-7000-8000-fffffffffffe' as UserId;

const errorFor = (who: Caller, useCase: AnyUseCase): unknown => {
  try {
    useCase(who, {} as never);
    return undefined;
  } catch (error) {
    return error instanceof DomainError ? error.kind : error;
  }
};

describe('A caller', () => {
  for (const { resource, name, useCase } of all) {
    const { scope, role: least } = useCase.permission;

    it(`needs the scope ${scope} for ${resource}.${name}`, () => {
      const others = scopes.filter((one) => one !== scope);
      expect(errorFor(caller('admin', others), useCase)).to.equal('forbidden');
      expect(errorFor(caller('admin', [scope]), useCase)).to.equal(undefined);
    });

    it(`needs the minimum role for ${resource}.${name}`, () => {
      for (const role of ['customer', 'staff', 'admin'] as const) {
        const may = Role.isAtLeast(role, least) && Role.scopes(role).includes(scope);
        const error = errorFor(caller(role, Role.scopes(role)), useCase);
        expect(error, role).to.equal(may ? undefined : 'forbidden');
      }
    });

    it(`needs a scope to ${useCase.kind === 'query' ? 'read' : 'write'} for ${resource}.${name}`, () => {
      expect(scope).to.match(useCase.kind === 'query' ? /:read$/ : /:write$/);
    });
  }

  it('needs scopes of one subject for all use cases of a resource', () => {
    for (const [resource, named = []] of Object.entries(Object.groupBy(all, (one) => one.resource))) {
      const subjects = named.map(({ useCase }) => useCase.permission.scope.split(':')[0]);
      expect(new Set(subjects).size, resource).to.equal(1);
    }
  });

  for (const [missing, act] of [
    ['users:read', () => requirePermission(caller('admin', []), { scope: 'users:read', role: 'staff' })],
    [
      'staff',
      () => requirePermission(caller('customer', ['users:read']), { scope: 'users:read', role: 'staff' }),
    ],
    ['staff', () => requireOwnerOrStaff(caller('customer', []), another)],
    ['admin', () => requireOwnerOrAdmin(caller('staff', []), another)],
    [
      'users:read, users:write',
      () => requireScopes(caller('admin', ['orders:read']), ['users:read', 'orders:read', 'users:write']),
    ],
  ] as const) {
    it(`learns from the error that ${missing} is missing`, () => {
      expect(act).to.throw(DomainError, missing).with.property('kind', 'forbidden');
    });
  }
});
