import { expect } from 'chai';
import {
  type Caller,
  requireOwnerOrAdmin,
  requireOwnerOrStaff,
  requirePermission,
  requireScopes,
} from '#application/preconditions.ts';
import { Role, type Scope, scopes } from '#domain/access.ts';
import { DomainError } from '#domain/errors.ts';
import type { UserId } from '#domain/user.ts';
import { nowhere } from './stage.ts';
import { aWorld } from './world.ts';

/** What each use case asks of the key, and of the role when it is more than a customer. */
const required: Readonly<Record<string, Readonly<Record<string, Scope | readonly [Scope, Role]>>>> = {
  products: {
    list: 'products:read',
    get: 'products:read',
    create: 'products:write',
    upsert: 'products:write',
    insertMissing: 'products:write',
    change: 'products:write',
    remove: 'products:write',
  },
  users: {
    list: ['users:read', 'staff'],
    get: 'users:read',
    create: 'users:write',
    change: 'users:write',
    remove: 'users:write',
  },
  orders: {
    list: 'orders:read',
    listOfUser: 'orders:read',
    get: 'orders:read',
    place: 'orders:write',
    change: 'orders:write',
  },
  orderItems: {
    list: 'orders:read',
    get: 'orders:read',
    add: 'orders:write',
    change: 'orders:write',
    remove: 'orders:write',
  },
  reviews: {
    list: 'reviews:read',
    get: 'reviews:read',
    write: 'reviews:write',
    change: 'reviews:write',
    remove: 'reviews:write',
  },
  payments: { list: 'payments:read', get: 'payments:read', pay: 'payments:write' },
  refunds: { list: 'refunds:read', get: 'refunds:read', create: 'refunds:write' },
  apiKeys: {
    list: 'api-keys:read',
    get: 'api-keys:read',
    issue: 'api-keys:write',
    revoke: 'api-keys:write',
  },
};

const caller = (role: Role, allowed: readonly Scope[]): Caller => ({
  userId: nowhere(),
  role,
  scopes: allowed,
  keyId: nowhere(),
});

const another = '01900000-0000-7000-8000-fffffffffffe' as UserId;

type AnyUseCase = (caller: Caller, input: never) => unknown;

describe('A caller', () => {
  let all: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  before(async () => {
    all = (await aWorld()).useCases;
  });

  const useCase = (resource: string, name: string): AnyUseCase => {
    const found = all[resource]?.[name];
    if (typeof found !== 'function') throw new Error(`There is no ${resource}.${name}.`);
    return found as AnyUseCase;
  };

  const errorFor = (who: Caller, resource: string, name: string): unknown => {
    try {
      useCase(resource, name)(who, {} as never);
      return undefined;
    } catch (error) {
      return error instanceof DomainError ? error.kind : error;
    }
  };

  it('needs a scope for every use case', () => {
    for (const [resource, named] of Object.entries(all)) {
      const names = Object.keys(named).filter((name) => typeof named[name] === 'function');
      expect(Object.keys(required[resource] ?? {}), resource).to.have.members(names);
    }
  });

  for (const [resource, named] of Object.entries(required)) {
    for (const [name, wanted] of Object.entries(named)) {
      const [scope, least] = typeof wanted === 'string' ? [wanted, 'customer' as const] : wanted;

      it(`needs the scope ${scope} for ${resource}.${name}`, () => {
        const others = scopes.filter((one) => one !== scope);
        expect(errorFor(caller('admin', others), resource, name)).to.equal('forbidden');
        expect(errorFor(caller('admin', [scope]), resource, name)).to.equal(undefined);
      });

      it(`needs the minimum role for ${resource}.${name}`, () => {
        for (const role of ['customer', 'staff', 'admin'] as const) {
          const may = Role.isAtLeast(role, least) && Role.scopes(role).includes(scope);
          const error = errorFor(caller(role, Role.scopes(role)), resource, name);
          expect(error, role).to.equal(may ? undefined : 'forbidden');
        }
      });
    }
  }

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
