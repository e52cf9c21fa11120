import type { Authenticator } from '#application/ports/authenticator.ts';

/** Three parts in base64url, of which the first begins as a JSON object does. An unsigned token lacks the last. */
const jwtPattern = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** Whether a credential has the form of a JWT (RFC 7519). No API key of Portico has it. */
export const isJwt = (credential: string): boolean => jwtPattern.test(credential);

const neitherKeyNorToken =
  'It is neither an API key nor a token: a token has three parts, and the first begins with eyJ.';

/**
 * Authenticates JWTs as tokens and all other credentials as API keys.
 * @param onRejected called with the reason when a credential with a dot in it is neither
 */
export const compositeAuthenticator = (
  keys: Authenticator,
  tokens: Authenticator,
  onRejected: (reason: string) => void,
): Authenticator => ({
  authenticate: async (credential, fresh) => {
    if (isJwt(credential)) return tokens.authenticate(credential, fresh);
    const caller = await keys.authenticate(credential, fresh);
    // Minted keys have no dot. An operator's own key may have one, so it is looked up before the reason is given.
    if (caller === undefined && credential.includes('.')) onRejected(neitherKeyNorToken);
    return caller;
  },
});
