/** What a user may be, from the least to the most trusted. */
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
] as const;
/** One thing that a key may be used for. */
export type Scope = (typeof scopes)[number];

/** What only the more trusted may do at all; everything else is open to every role. */
const reserved: Partial<Record<Scope, Role>> = {
  'products:write': 'staff',
  'refunds:write': 'staff',
  'users:write': 'admin',
};

export const Role = {
  /** Whether a role is at least as trusted as another. */
  reaches: (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least),

  /** All that the role may do; no key of such a user can do more. */
  scopes: (role: Role): readonly Scope[] =>
    scopes.filter((scope) => Role.reaches(role, reserved[scope] ?? 'customer')),
};
