import type { Caller } from '#application/access.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';

/** The SYSTEM principal: may do everything, without being a user or holding a key. */
export const systemCaller: Caller = {
  userId: '' as UserId,
  keyId: '' as ApiKeyId,
  role: 'admin',
  scopes: new Set(Role.scopes('admin')),
};
