import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Authenticator, MintToken } from '#application/ports/authenticator.ts';
import type { Clock } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role, roles, type Scope } from '#domain/access.ts';
import { ApiKey, type ApiKeyId } from '#domain/api-key.ts';
import { Instant } from '#domain/instant.ts';
import { Id } from '#domain/resource.ts';
import type { User, UserId } from '#domain/user.ts';
import { TtlCache } from './credential-cache.ts';

/** Below the five seconds after which a revoked key must be rejected; the rest is for the query. */
const defaultCredentialTtlMs = 4_000;
const maxCachedCredentials = 10_000;

/** `lastUsedAt` is written at most this often. */
const lastUsedResolutionMs = 60_000;

/** A key from the configuration of this process. It has no row, so it cannot be listed or revoked. */
export interface StaticKey {
  readonly id: ApiKeyId;
  readonly token: string;
  /** Finds the user that the key acts for, with all rights of their role. */
  readonly findUser: () => Promise<UserId | undefined>;
}

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly staticKeys?: readonly StaticKey[];
  /** Called with the error when `lastUsedAt` could not be written. The request goes on. */
  readonly report: (error: unknown) => void;
  /** How long a credential is cached, in milliseconds. */
  readonly credentialTtlMs?: number | undefined;
}

interface Credential {
  readonly caller: Caller;
  readonly expiresAt: Instant | null;
}

/** Authenticates callers by API keys: those in the store, and those of the configuration. */
export const keyAuthenticator = ({
  unitOfWork,
  clock,
  staticKeys = [],
  report,
  credentialTtlMs = defaultCredentialTtlMs,
}: Dependencies): Authenticator => {
  const cache = new TtlCache<Credential>(credentialTtlMs, maxCachedCredentials);
  // Found by hash, so that the time of the lookup reveals nothing of a token (a timing attack).
  const staticKeysByHash = new Map(staticKeys.map((key) => [hash('sha256', key.token), key]));

  const credentialOf = (
    userId: UserId,
    keyId: ApiKeyId,
    key: ApiKey | undefined,
  ): Promise<Credential | undefined> =>
    unitOfWork.read(async ({ users }) => {
      const user = await users.find(userId);
      if (user === undefined || user.status === 'erased') return undefined;
      return { caller: callerOf(user, keyId, key), expiresAt: key?.expiresAt ?? null };
    });

  const findByToken = async ({ id, secretHash }: ParsedToken): Promise<Credential | undefined> => {
    const key = await unitOfWork.read(({ apiKeys }) => apiKeys.find(id));
    if (key === undefined || !isSameHash(key.secretHash, secretHash)) return undefined;
    recordUse(key).catch(report);
    return credentialOf(key.userId, key.id, key);
  };

  const recordUse = async ({ id, lastUsedAt }: ApiKey): Promise<void> => {
    const now = clock.now();
    if (lastUsedAt !== null && now < Instant.plus(lastUsedAt, lastUsedResolutionMs)) return;
    await unitOfWork.run(async ({ apiKeys }) => {
      const key = await apiKeys.lock(id);
      if (key !== undefined) await apiKeys.save(ApiKey.use(key, now));
    });
  };

  const findStatic = async (key: StaticKey): Promise<Credential | undefined> => {
    const userId = await key.findUser();
    return userId && credentialOf(userId, key.id, undefined);
  };

  const find = (text: string): Promise<Credential | undefined> | undefined => {
    const staticKey = staticKeysByHash.get(hash('sha256', text));
    if (staticKey !== undefined) return findStatic(staticKey);
    const token = parseToken(text);
    return token && findByToken(token);
  };

  const unlessExpired = (credential: Credential | undefined): Caller | undefined => {
    if (credential === undefined) return undefined;
    const { caller, expiresAt } = credential;
    return expiresAt !== null && ApiKey.isExpired({ expiresAt }, clock.now()) ? undefined : caller;
  };

  return {
    authenticate: async (text, fresh) => unlessExpired(await cache.get(text, () => find(text), fresh)),
  };
};

const callerOf = ({ id: userId, role }: User, keyId: ApiKeyId, key: ApiKey | undefined): Caller => {
  if (key === undefined) return { userId, role, scopes: Role.scopes(role), keyId };
  // With the lowest role a publishable key sees what every visitor may see, also when it belongs to an administrator.
  const roleOfKey = key.publishable ? roles[0] : role;
  const stored = { userId, role: roleOfKey, scopes: scopesOf(roleOfKey, key), keyId, isStoredKey: true };
  return key.rateLimit === null ? stored : { ...stored, rateLimit: key.rateLimit };
};

/** The scopes of a key that its user's role allows now: the role may have been lowered since the key was issued. */
const scopesOf = (role: Role, key: ApiKey): readonly Scope[] =>
  Role.scopes(role).filter((scope) => key.scopes.includes(scope));

const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 43 characters out of 62 hold 256 random bits. */
const secretLength = 43;
/** 6 characters out of 62 hold the 32 bits of a CRC. */
const checksumLength = 6;

/**
 * A token is `ptc_<key id>_<secret><checksum>`, or `ptp_…` when it is publishable. Secret scanners find a leaked one by its prefix,
 * and the checksum rejects a mistyped or invented one without a query.
 */
const tokenPattern = /^(pt[cp])_([0-9a-f]{32})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

interface ParsedToken {
  readonly id: ApiKeyId;
  readonly secretHash: string;
}

/** @returns undefined when the text is no token, or its checksum is wrong */
const parseToken = (text: string): ParsedToken | undefined => {
  const [, prefix = '', key = '', secret = '', checksum] = tokenPattern.exec(text) ?? [];
  const id = Id.fromHex<ApiKeyId>(key);
  if (id === undefined || checksum !== checksumOf(`${prefix}_${key}_${secret}`)) return undefined;
  return { id, secretHash: hashOf(prefix, secret) };
};

/** The prefix is hashed too, so that a publishable token is none of the other kind once its prefix is rewritten. */
const hashOf = (prefix: string, secret: string): string =>
  hash('sha256', prefix === 'ptc' ? secret : `${prefix}_${secret}`);

/** Mints a token with a random secret. Only the secret's hash may be stored. */
export const mintToken: MintToken = (id, publishable) => {
  const prefix = publishable ? 'ptp' : 'ptc';
  const key = Id.toHex(id);
  const characters = Array.from({ length: secretLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  const secret = characters.join('');
  const text = `${prefix}_${key}_${secret}`;
  return { token: text + checksumOf(text), secretHash: hashOf(prefix, secret) };
};

/** @param text a token without its checksum */
const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let checksum = '';
  while (checksum.length < checksumLength) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return checksum;
};
