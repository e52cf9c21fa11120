/** The roles, in ascending order of trust. */
export const roles = ['customer', 'staff', 'admin'] as const;
export type Role = (typeof roles)[number];

export const scopes = [
  'products:read',
  'products:write',
  'users:read',
  'users:write',
  'orders:read',
  'orders:write',
  'reviews:read',
  'reviews:write',
  'payments:read',
  'payments:write',
  'refunds:read',
  'refunds:write',
  'api-keys:read',
  'api-keys:write',
  'events:read',
  'idempotency-keys:read',
  'webhook-endpoints:read',
  'webhook-endpoints:write',
] as const;
/** One permission that a credential can carry. */
export type Scope = (typeof scopes)[number];

/** The scopes that need a higher role. Every role has all the others. */
const minimumRoles: Partial<Record<Scope, Role>> = {
  'products:write': 'staff',
  'refunds:write': 'staff',
  'events:read': 'staff',
  'webhook-endpoints:read': 'staff',
  'webhook-endpoints:write': 'admin',
};

export const Role = {
  isAtLeast: (role: Role, minimum: Role): boolean => roles.indexOf(role) >= roles.indexOf(minimum),

  /** The scopes of a role. No API key of a user with this role can have more. */
  scopes: (role: Role): readonly Scope[] =>
    scopes.filter((scope) => Role.isAtLeast(role, minimumRoles[scope] ?? 'customer')),
};
