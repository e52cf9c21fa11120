import type { Caller } from '#application/preconditions.ts';
import { Role, scopes } from '#domain/access.ts';
import { newId } from '../../support/machine.ts';
import { type KeyAuthenticator, openWrongKeys } from '../authenticators.ts';

type Authenticate = KeyAuthenticator['authenticate'];

/** Tokens are replaced before they are checked. */
const tokensAs = (change: (token: string) => string) =>
  openWrongKeys(({ authenticate }) => ({ authenticate: (token) => authenticate(change(token)) }));

/** What is found out about a valid token is replaced. */
const callersAs = (change: (caller: Caller) => Caller) =>
  openWrongKeys(({ authenticate }) => ({
    authenticate: async (token) => {
      const caller = await authenticate(token);
      return caller && change(caller);
    },
  }));

/** The result of the first check of each token is kept for ever. */
const keptForEver = (authenticate: Authenticate): Authenticate => {
  const kept = new Map<string, ReturnType<Authenticate>>();
  return (token) => {
    const first = kept.get(token) ?? authenticate(token);
    kept.set(token, first);
    return first;
  };
};

/** What was found is used again, also where a token is to be checked anew. */
export const neverAnew = openWrongKeys(({ authenticate }) => ({
  authenticate: (token) => authenticate(token),
}));

export const remembersAll = openWrongKeys(({ authenticate }) => ({
  authenticate: keptForEver(authenticate),
}));

/** An error is kept for ever, and nothing else. */
export const remembersOutages = openWrongKeys(({ authenticate }) => {
  const errors = new Map<string, unknown>();
  return {
    authenticate: async (token) => {
      if (errors.has(token)) throw errors.get(token);
      try {
        return await authenticate(token);
      } catch (error) {
        errors.set(token, error);
        throw error;
      }
    },
  };
});

/** While nothing can be checked, no token is valid. */
export const outagesAsInvalid = openWrongKeys(({ authenticate }) => ({
  authenticate: (token) => authenticate(token).catch(() => undefined),
}));

export const throwsAtNonsense = openWrongKeys(({ authenticate }) => ({
  authenticate: async (token) => {
    if (!token.startsWith('ptc_')) throw new SyntaxError('It is no token.');
    return authenticate(token);
  },
}));

/** A token that has been valid is found without case from then on. */
export const withoutCase = openWrongKeys(({ authenticate }) => {
  const known = new Map<string, string>();
  return {
    authenticate: async (token) => {
      const caller = await authenticate(known.get(token.toLowerCase()) ?? token);
      if (caller !== undefined && !known.has(token.toLowerCase())) known.set(token.toLowerCase(), token);
      return caller;
    },
  };
});

export const trimmed = tokensAs((token) => token.trim());

/** As many characters as a token has: what stands behind them is ignored. */
export const cutAtItsEnd = tokensAs((token) => token.slice(0, 86));

export const allScopes = callersAs((caller) => ({ ...caller, scopes }));

/** The scopes of the role, and not of the key. */
export const scopesOfTheRole = callersAs((caller) => ({ ...caller, scopes: Role.scopes(caller.role) }));

export const oneKeyForAll = callersAs(
  ((keyId: Caller['keyId']) => (caller: Caller) => ({ ...caller, keyId }))(newId()),
);

export const newKeyEachTime = callersAs((caller) => ({ ...caller, keyId: newId() }));

/** Concurrent checks share the result of the first. */
export const mixesConcurrent = openWrongKeys(({ authenticate }) => {
  let checking: ReturnType<Authenticate> | undefined;
  return {
    authenticate: (token) => {
      checking ??= authenticate(token).finally(() => {
        checking = undefined;
      });
      return checking;
    },
  };
});

/** The role of a user is kept from the first check of their token; removed users are noticed. */
export const keepsRoles = openWrongKeys(({ authenticate }) => {
  const first = keptForEver(authenticate);
  return {
    authenticate: async (token) => ((await authenticate(token)) === undefined ? undefined : first(token)),
  };
});

/** A token works for a user who is not there any more. */
export const actsForTheRemoved = openWrongKeys(({ authenticate }, unitOfWork) => {
  const known = new Map<string, Caller>();
  return {
    authenticate: async (token) => {
      const caller = (await authenticate(token)) ?? known.get(token);
      if (caller === undefined) return undefined;
      known.set(token, caller);
      const isThere = await unitOfWork.read(({ users }) => users.find(caller.userId));
      return isThere === undefined ? caller : authenticate(token);
    },
  };
});

/** A token works for a user who has been erased. */
export const actsForTheErased = openWrongKeys(({ authenticate }, unitOfWork) => {
  const known = new Map<string, Caller>();
  return {
    authenticate: async (token) => {
      const caller = await authenticate(token);
      if (caller !== undefined) known.set(token, caller);
      const last = known.get(token);
      if (last === undefined || caller !== undefined) return caller;
      const user = await unitOfWork.read(({ users }) => users.find(last.userId));
      return user?.status === 'erased' ? last : undefined;
    },
  };
});

/** The rate limit of a key is kept from its first check. */
export const keepsRateLimits = openWrongKeys(({ authenticate }) => {
  const first = keptForEver(authenticate);
  return {
    authenticate: async (token) => {
      const [caller, known] = [await authenticate(token), await first(token)];
      if (caller === undefined || known === undefined) return caller;
      const { rateLimit: _, ...rest } = caller;
      return known.rateLimit === undefined ? rest : { ...rest, rateLimit: known.rateLimit };
    },
  };
});
