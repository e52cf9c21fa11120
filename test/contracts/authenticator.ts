import { expect } from 'chai';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role, type Scope } from '#domain/access.ts';
import { ApiKey } from '#domain/api-key.ts';
import { updated } from '#domain/resource.ts';
import { User } from '#domain/user.ts';
import { existing, mocha, rejectionOf } from './harness.ts';
import { aUser, later } from './samples.ts';

/** What a token is issued with. */
export interface TokenDetails {
  /** All scopes of the user's role by default. */
  readonly scopes?: readonly Scope[];
  /** In milliseconds from now. */
  readonly lifetimeMs?: number;
}

/** An authenticator over a store of its own, and the one who issues its tokens. */
export interface AuthenticatorHarness {
  readonly authenticator: Authenticator;
  /** The users that the tokens act for. */
  readonly unitOfWork: UnitOfWork;
  /** Issues a token for a user that is in the store. */
  readonly issue: (user: User, details?: TokenDetails) => Promise<string>;
  /** Whether tokens can be issued with scopes and a lifetime of their own. */
  readonly canLimit: boolean;
  /** Undefined where a token is valid until it expires. */
  readonly revoke?: ((token: string) => Promise<void>) | undefined;
  /** Lets so many milliseconds pass for the authenticator. */
  readonly advance: (milliseconds: number) => void;
  /** Makes what tokens are checked against unavailable, or available again. */
  readonly setAvailable: (isAvailable: boolean) => void;
  readonly close: () => Promise<void>;
}

export type OpenAuthenticator = () => Promise<AuthenticatorHarness>;

/** Within this time each change applies. */
const fiveSeconds = 5_000;

/** What `Authenticator` promises. */
export const describeAuthenticator = (adapter: string, open: OpenAuthenticator, runner = mocha()) =>
  runner.describe(`${adapter}: tokens`, () => {
    const { it, beforeEach, afterEach } = runner;
    let harness: AuthenticatorHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close());

    /** The caller; a pending one acts for no user yet, or no longer. */
    const authenticate = async (token: string, anew?: boolean): Promise<Caller | undefined> => {
      const caller = await harness.authenticator.authenticate(token, anew);
      return caller !== undefined && 'provision' in caller ? undefined : caller;
    };

    const added = async (role: Role = 'customer'): Promise<User> => {
      const user = aUser({ role });
      await harness.unitOfWork.run(({ users }) => users.add(user));
      return user;
    };

    const changeRole = (user: User, role: Role): Promise<void> =>
      harness.unitOfWork.run(({ users }) => users.save(User.change(user, { role }, later(1))));

    const remove = ({ id }: User): Promise<void> =>
      harness.unitOfWork.run(async ({ users, apiKeys, identities }) => {
        for (const key of await apiKeys.findBy('userId', [id])) await apiKeys.remove(key.id);
        for (const link of await identities.findBy('userId', [id])) await identities.remove(link.id);
        await users.remove(id);
      });

    const expectRights = (caller: Caller | undefined, user: User, role: Role): void => {
      expect(caller).to.include({ userId: user.id, role });
      expect(Role.scopes(role)).to.include.members([...existing(caller).scopes]);
    };

    it('name the user, the role, and all scopes of that role', async () => {
      for (const role of ['customer', 'staff', 'admin'] as const) {
        const user = await added(role);
        const caller = await authenticate(await harness.issue(user));
        expectRights(caller, user, role);
        expect(caller?.scopes).to.have.members([...Role.scopes(role)]);
      }
    });

    it('allow no more than they were issued with', async () => {
      if (!harness.canLimit) return;
      const user = await added('staff');
      const caller = await authenticate(await harness.issue(user, { scopes: ['products:write'] }));
      expect(caller?.scopes).to.deep.equal(['products:write']);
    });

    it('have one key id at each request, and share none between users', async () => {
      const tokens = [await harness.issue(await added()), await harness.issue(await added())];
      const keyIds = new Set<string>();
      for (const wait of [0, fiveSeconds]) {
        harness.advance(wait);
        for (const token of tokens) keyIds.add(existing(await authenticate(token)).keyId);
      }
      expect(keyIds.size).to.equal(2);
    });

    it('get each their own user, however many are checked at once', async () => {
      const all = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const user = await added();
          return { token: await harness.issue(user), userId: user.id };
        }),
      );
      const callers = await Promise.all([...all, ...all].map(({ token }) => authenticate(token)));
      const expected = [...all, ...all].map(({ userId }) => userId);
      expect(callers.map((caller) => caller?.userId)).to.deep.equal(expected);
    });

    it('are compared character by character, and every other text is none', async () => {
      const token = await harness.issue(await added());
      const middle = Math.floor(token.length / 2);
      const others = [token.slice(0, -1), token.slice(1), token.toUpperCase(), token.toLowerCase()].concat(
        [`${token} `, ` ${token}`, `${token},${token}`, `${token}\u0000`, `${token}.`],
        [`${token.slice(0, middle)}-${token.slice(middle)}`, token.repeat(100)],
        ['', ' ', '.', '..', 'nonsense', 'null', '\u{1f511}', '\ud800', 'a'.repeat(100_000)],
      );
      expect(await authenticate(token)).to.not.equal(undefined);
      for (const other of others) expect(await authenticate(other), other.slice(0, 300)).to.equal(undefined);
      expect(await authenticate(token)).to.not.equal(undefined);
    });

    it('have the changed role of their user within five seconds', async () => {
      for (const [before, now] of [
        ['admin', 'customer'],
        ['customer', 'staff'],
      ] as const) {
        const user = await added(before);
        const token = await harness.issue(user);
        expectRights(await authenticate(token), user, before);
        await changeRole(user, now);
        harness.advance(fiveSeconds);
        expectRights(await authenticate(token), user, now);
      }
    });

    it('have the changed rate limit of their key within five seconds', async () => {
      const user = await added();
      const token = await harness.issue(user);
      const [key] = await harness.unitOfWork.read(({ apiKeys }) => apiKeys.findBy('userId', [user.id]));
      if (key === undefined) return;
      expect(existing(await authenticate(token)).rateLimit).to.equal(undefined);
      for (const rateLimit of [7, 8, null]) {
        await harness.unitOfWork.run(async ({ apiKeys }) => {
          const current = existing(await apiKeys.lock(key.id));
          await apiKeys.save(ApiKey.change(current, { rateLimit }, later(1)));
        });
        harness.advance(fiveSeconds);
        expect(existing(await authenticate(token)).rateLimit).to.equal(rateLimit ?? undefined);
      }
    });

    it('stop working within five seconds when their user is removed', async () => {
      const user = await added();
      const token = await harness.issue(user);
      expect(await authenticate(token)).to.not.equal(undefined);
      await remove(user);
      harness.advance(fiveSeconds);
      expect(await authenticate(token)).to.equal(undefined);
    });

    it('stop working within five seconds when their user is erased', async () => {
      const user = await added();
      const token = await harness.issue(user);
      expect(await authenticate(token)).to.not.equal(undefined);
      await harness.unitOfWork.run(({ users }) => users.save(updated(user, { status: 'erased' }, later(1))));
      harness.advance(fiveSeconds);
      expect(await authenticate(token)).to.equal(undefined);
    });

    it('stop working within five seconds when they are revoked', async () => {
      const user = await added();
      const [token, other] = [await harness.issue(user), await harness.issue(user)];
      if (harness.revoke === undefined) return;
      expect(await authenticate(token)).to.not.equal(undefined);
      await harness.revoke(token);
      harness.advance(fiveSeconds);
      expect(await authenticate(token)).to.equal(undefined);
      expect(await authenticate(other)).to.not.equal(undefined);
    });

    it('have at once what is stored, when they are checked anew', async () => {
      const user = await added('staff');
      const [token, another] = [await harness.issue(user), await harness.issue(user)];
      for (const each of [token, another]) expectRights(await authenticate(each), user, 'staff');
      await changeRole(user, 'customer');
      expectRights(await authenticate(token, true), user, 'customer');
      await harness.revoke?.(another);
      if (harness.revoke !== undefined) expect(await authenticate(another, true)).to.equal(undefined);
      expectRights(await authenticate(token, true), user, 'customer');
      await remove(user);
      for (const each of [token, another]) expect(await authenticate(each, true)).to.equal(undefined);
    });

    it('stop working within five seconds when they expire', async () => {
      if (!harness.canLimit) return;
      const token = await harness.issue(await added(), { lifetimeMs: 60_000 });
      expect(await authenticate(token)).to.not.equal(undefined);
      harness.advance(50_000);
      expect(await authenticate(token)).to.not.equal(undefined);
      harness.advance(10_000 + fiveSeconds);
      expect(await authenticate(token)).to.equal(undefined);
    });

    it('are not invalid while they cannot be checked, and are checked anew afterwards', async () => {
      const user = await added();
      const token = await harness.issue(user);
      harness.setAvailable(false);
      for (const _ of ['once', 'twice']) {
        expect(await rejectionOf(authenticate(token))).to.include({ kind: 'unavailable' });
      }
      harness.setAvailable(true);
      expectRights(await authenticate(token), user, 'customer');
    });
  });
