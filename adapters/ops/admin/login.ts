/** How the page signs people in at an identity provider. The page gets all of it, so nothing of it is secret. */
export interface ProviderLogin {
  readonly issuer: string;
  /** The API's name in access tokens. */
  readonly audience: string;
  /** The claim that names the user. */
  readonly userClaim: string;
  /** The public client of the page. */
  readonly clientId: string;
  readonly scope: string;
  /** Undefined while they are unknown. */
  readonly endpoints: LoginEndpoints | undefined;
}

interface LoginEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly endSession: string | undefined;
  readonly revocation: string | undefined;
  readonly namesItself: boolean;
}

/**
 * The sources of `connect-src` for a login: the endpoints to which the page sends codes and refresh tokens, and no other path of their
 * origin. Content Security Policy Level 3, section 6.7.2.8.
 */
export const connectSources = (login: ProviderLogin | undefined): readonly string[] => {
  const { token, revocation } = login?.endpoints ?? {};
  return [token, revocation].flatMap((endpoint) => (endpoint === undefined ? [] : [sourceOf(endpoint)]));
};

/** Signs that end a source or the directive have to be encoded. */
const sourceOf = (endpoint: string): string => {
  const { origin, pathname } = new URL(endpoint);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
};
