import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '#application/access.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { Clock } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Role, type Scope } from '#domain/access.ts';
import { ApiKey, type ApiKeyId } from '#domain/api-key.ts';
import { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { Recent } from './credential-cache.ts';
import { Token } from './token.ts';

/** Less than the five seconds within which a revoked key must stop working; the rest is for the look-up itself. */
const credentialLifetime = 4_000;
const mostCredentials = 10_000;

/** How exactly `lastUsedAt` is kept, in milliseconds. */
const useResolution = 60_000;

/** A key that this process holds for as long as it lives. It has no row of its own, so nobody can list or revoke it. */
export interface HeldKey {
  readonly id: ApiKeyId;
  readonly token: string;
  /** Whom it stands for now, with all that their role may do; undefined when there is nobody. */
  readonly findUser: () => Promise<UserId | undefined>;
}

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly heldKeys?: readonly HeldKey[];
  /** Told when the time of use could not be written, which keeps nobody out. */
  readonly report: (error: unknown) => void;
}

interface Credential {
  readonly caller: Caller;
  readonly expiresAt: Instant | null;
}

/** Knows callers by API keys. */
export const keyAuthenticator = ({
  unitOfWork,
  clock,
  heldKeys = [],
  report,
}: Dependencies): Authenticator => {
  const recent = new Recent<Credential>(credentialLifetime, mostCredentials);
  // By the hash, whose bytes nobody can choose: how long it takes to find one says nothing of a token.
  const held = new Map(heldKeys.map((key) => [hash('sha256', key.token), key]));

  const credentialOf = (
    userId: UserId,
    keyId: ApiKeyId,
    key: ApiKey | undefined,
  ): Promise<Credential | undefined> =>
    unitOfWork.read(async ({ users }) => {
      const user = await users.find(userId);
      if (user === undefined) return undefined;
      const scopes = scopesOf(user.role, key);
      return { caller: { userId, role: user.role, scopes, keyId }, expiresAt: key?.expiresAt ?? null };
    });

  const lookUp = async (
    token: NonNullable<ReturnType<typeof Token.parse>>,
  ): Promise<Credential | undefined> => {
    const key = await unitOfWork.read(({ apiKeys }) => apiKeys.find(token.id));
    if (key === undefined || !sameHash(key.secretHash, token.secretHash)) return undefined;
    noteUse(key).catch(report);
    return credentialOf(key.userId, key.id, key);
  };

  const noteUse = async ({ id, lastUsedAt }: ApiKey): Promise<void> => {
    const now = clock.now();
    if (lastUsedAt !== null && now < Instant.plus(lastUsedAt, useResolution)) return;
    await unitOfWork.run(async ({ apiKeys }) => {
      const key = await apiKeys.lock(id);
      if (key !== undefined) await apiKeys.save(ApiKey.use(key, now));
    });
  };

  const lookUpHeld = async (own: HeldKey): Promise<Credential | undefined> => {
    const userId = await own.findUser();
    return userId && credentialOf(userId, own.id, undefined);
  };

  const find = (text: string): Promise<Credential | undefined> | undefined => {
    const own = held.get(hash('sha256', text));
    if (own !== undefined) return lookUpHeld(own);
    const token = Token.parse(text);
    return token && lookUp(token);
  };

  const callerOf = (credential: Credential | undefined): Caller | undefined => {
    if (credential === undefined) return undefined;
    const { caller, expiresAt } = credential;
    return expiresAt !== null && ApiKey.isExpired({ expiresAt }, clock.now()) ? undefined : caller;
  };

  return {
    authenticate: (text) => {
      const found = recent.get(text, () => find(text));
      return found instanceof Promise ? found.then(callerOf) : callerOf(found);
    },
  };
};

/** A key can never do more than its user's role, which may be less today than when the key was issued. */
const scopesOf = (role: Role, key: ApiKey | undefined): ReadonlySet<Scope> => {
  const allowed = Role.scopes(role);
  return new Set(key === undefined ? allowed : allowed.filter((scope) => key.scopes.includes(scope)));
};

const sameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
