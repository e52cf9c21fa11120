import { mock } from 'node:test';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { subjectKey } from '#adapters/auth/access-token.ts';
import { compositeAuthenticator } from '#adapters/auth/composite-authenticator.ts';
import { jwtAuthenticator } from '#adapters/auth/jwt-authenticator.ts';
import { keyAuthenticator, mintToken } from '#adapters/auth/key-authenticator.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { provisionCustomer } from '#application/accounts/provisioning.ts';
import { UnavailableError } from '#application/errors.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { scopes as allScopes, Role } from '#domain/access.ts';
import { ApiKey, type ApiKeyId } from '#domain/api-key.ts';
import { Identity } from '#domain/identity.ts';
import { Instant } from '#domain/instant.ts';
import type { User, UserId } from '#domain/user.ts';
import { newId } from '../support/machine.ts';
import type { AuthenticatorHarness, TokenDetails } from './authenticator.ts';
import { existing } from './harness.ts';

/** What every authenticator here stands on. */
interface Ground extends Pick<AuthenticatorHarness, 'advance' | 'setAvailable' | 'close'> {
  /** Always available, for the test. */
  readonly unitOfWork: UnitOfWork;
  /** For the authenticator. */
  readonly checked: UnitOfWork;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/** A memory store that can be unavailable, and a clock that can be moved together with the time of the caches. */
const ground = async (): Promise<Ground> => {
  const { unitOfWork, close } = await openMemory();
  const started = performance.now.bind(performance);
  let passed = 0;
  let isAvailable = true;
  const time = mock.method(performance, 'now', () => started() + passed);
  const throwIfUnavailable = (): void => {
    if (!isAvailable) throw new UnavailableError('database-unavailable');
  };
  return {
    unitOfWork,
    checked: {
      run: async (work, context) => {
        throwIfUnavailable();
        return unitOfWork.run(work, context);
      },
      read: async (reading, context) => {
        throwIfUnavailable();
        return unitOfWork.read(reading, context);
      },
    },
    now: () => Date.now() + passed,
    advance: (milliseconds) => {
      passed += milliseconds;
    },
    setAvailable: (next) => {
      isAvailable = next;
    },
    close: async () => {
      time.mock.restore();
      await close();
    },
  };
};

/** No key has a pending caller. */
export interface KeyAuthenticator {
  readonly authenticate: (token: string) => Promise<Caller | undefined>;
}

type Issuing = Pick<AuthenticatorHarness, 'authenticator' | 'issue' | 'canLimit' | 'revoke'>;

const overKeys = ({ unitOfWork, checked, now }: Ground): Issuing => {
  const ids = new Map<string, ApiKeyId>();
  return {
    authenticator: keyAuthenticator({
      unitOfWork: checked,
      clock: { now: () => Instant.at(now()) },
      report: () => undefined,
    }),
    canLimit: true,
    issue: async (user, { scopes = Role.scopes(user.role), lifetimeMs } = {}) => {
      const id = newId<ApiKeyId>();
      const { token, secretHash } = mintToken(id);
      const at = Instant.at(now());
      const expiresAt = lifetimeMs === undefined ? null : Instant.plus(at, lifetimeMs);
      const key = ApiKey.issue(id, user, { name: 'Laptop', scopes, expiresAt }, secretHash, at);
      await unitOfWork.run(({ apiKeys }) => apiKeys.add(key));
      ids.set(token, id);
      return token;
    },
    revoke: (token) => unitOfWork.run(({ apiKeys }) => apiKeys.remove(existing(ids.get(token)))),
  };
};

/** Configured keys are there from the start, and get their users as they are issued. */
const overStaticKeys = ({ checked, now }: Ground): Issuing => {
  const owners = new Map<string, UserId>();
  const tokens = Array.from({ length: 50 }, (_, index) => `Operator-${index}-${newId()}`);
  return {
    authenticator: keyAuthenticator({
      unitOfWork: checked,
      clock: { now: () => Instant.at(now()) },
      staticKeys: tokens.map((token) => ({
        id: newId<ApiKeyId>(),
        token,
        findUser: async () => owners.get(token),
      })),
      report: () => undefined,
    }),
    canLimit: false,
    issue: async ({ id }) => {
      const token = existing(tokens[owners.size]);
      owners.set(token, id);
      return token;
    },
  };
};

const provider = { issuer: 'https://id.example', audience: 'portico' };

const trusted = {
  ...provider,
  ...{ userClaim: 'sub', trustEmail: false, roleClaim: undefined, scopesClaim: 'scope' },
};

/** Who issues tokens, and what an authenticator needs to accept them. */
const issuer = async ({ checked, now }: Ground) => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return {
    dependencies: {
      ...{ trusted, key: async () => publicKey, unitOfWork: checked, now, onRejected: () => undefined },
    },
    issue: (claims: JWTPayload, { scopes = allScopes, lifetimeMs = 300_000 }: TokenDetails = {}) =>
      new SignJWT({ ...claims, iss: provider.issuer, aud: provider.audience, scope: scopes.join(' ') })
        .setProtectedHeader({ alg: 'ES256' })
        .setExpirationTime(Math.floor((now() + lifetimeMs) / 1000))
        .sign(privateKey),
  };
};

const overTokens = async (on: Ground): Promise<Issuing> => {
  const { dependencies, issue } = await issuer(on);
  return {
    authenticator: jwtAuthenticator(dependencies),
    canLimit: true,
    issue: ({ id }, details) => issue({ sub: id }, details),
  };
};

/** Tokens whose subjects are linked to users. Others would be provisioned. */
const overProvisionedTokens = async (on: Ground): Promise<Issuing> => {
  const { dependencies, issue } = await issuer(on);
  const clock = { now: () => Instant.at(on.now()) };
  let subjects = 0;
  const link = async (user: User, subject: string): Promise<void> => {
    const key = subjectKey(provider.issuer, subject);
    const details = { userId: user.id, issuer: provider.issuer, subject, key };
    const identity = Identity.link(newId(), details, clock.now());
    await on.unitOfWork.run(({ identities }) => identities.add(identity));
  };
  return {
    authenticator: jwtAuthenticator({
      ...dependencies,
      provision: (subject) => provisionCustomer({ unitOfWork: on.checked, clock, newId }, subject),
    }),
    canLimit: true,
    issue: async (user, details) => {
      subjects += 1;
      const sub = `subject-${subjects}`;
      await link(user, sub);
      return issue({ sub, email: user.email, email_verified: true }, details);
    },
  };
};

/** Issues API keys and tokens in turn. */
const overBoth = async (on: Ground): Promise<Issuing> => {
  const [keys, tokens] = [overKeys(on), await overTokens(on)];
  let issued = 0;
  return {
    authenticator: compositeAuthenticator(keys.authenticator, tokens.authenticator, () => undefined),
    canLimit: true,
    issue: (user, details) => {
      issued += 1;
      return (issued % 2 === 0 ? keys : tokens).issue(user, details);
    },
  };
};

const opening =
  (over: (on: Ground) => Issuing | Promise<Issuing>) => async (): Promise<AuthenticatorHarness> => {
    const on = await ground();
    const { unitOfWork, advance, setAvailable, close } = on;
    return { unitOfWork, advance, setAvailable, close, ...(await over(on)) };
  };

export const openKeys = opening(overKeys);
export const openStaticKeys = opening(overStaticKeys);
export const openTokens = opening(overTokens);
export const openProvisionedTokens = opening(overProvisionedTokens);
export const openBoth = opening(overBoth);

/** Keys, with an authenticator that is made from the right one. */
export const openWrongKeys = (wrap: (right: KeyAuthenticator, of: UnitOfWork) => Authenticator) =>
  opening((on) => {
    const keys = overKeys(on);
    return { ...keys, authenticator: wrap(keys.authenticator as KeyAuthenticator, on.unitOfWork) };
  });
