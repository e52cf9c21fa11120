import type { Caller } from '#application/access.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';

/** Whoever works on the store itself, before there is a user or a key, or without being one. */
export const founder: Caller = {
  userId: '' as UserId,
  keyId: '' as ApiKeyId,
  role: 'admin',
  scopes: new Set(Role.scopes('admin')),
};
