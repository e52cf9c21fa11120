import {
  type Environment,
  parseSetting,
  readText,
  SettingError,
  secureUrl,
  visibleAscii,
  zeroOrOne,
} from './env-parser.ts';

/** The issuer whose access tokens are accepted beside API keys, and the claims that are read in them. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly audience: string;
  /** The URL of its public keys (JWKS). */
  readonly keysUrl: string;
  readonly userClaim: string;
  /** Whether an e-mail address counts as verified in a token without `email_verified`. */
  readonly trustEmail: boolean;
  /** Whether a customer is created for, or linked to, a subject with a verified e-mail address. */
  readonly provision: boolean;
  readonly roleClaim: string | undefined;
  readonly scopesClaim: string | undefined;
  /** How the admin page signs people in; undefined where it asks for API keys only. */
  readonly adminLogin: AdminLogin | undefined;
}

/** The public client of the admin page at the identity provider. */
interface AdminLogin {
  readonly clientId: string;
  /** The scopes that it asks for, with spaces between. */
  readonly scope: string;
}

const required = ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'] as const;
const optional = [
  ...['JWT_USER_CLAIM', 'JWT_TRUST_EMAIL', 'JWT_PROVISION'],
  ...['JWT_ROLE_CLAIM', 'JWT_SCOPES_CLAIM'],
  ...['ADMIN_OIDC_CLIENT_ID', 'ADMIN_OIDC_SCOPE'],
] as const;

/** @throws SettingError when some of the required settings are missing while another one is set */
export const readIdentityProvider = (environment: Environment): IdentityProvider | undefined => {
  const isSet = (name: string) => readText(environment, name) !== undefined;
  const text = <B>(name: string, fallback: B) =>
    parseSetting(
      environment,
      name,
      '1 to 500 visible ASCII characters without spaces',
      visibleAscii(1, 500),
      fallback,
    );
  const issuer = text('JWT_ISSUER', undefined);
  const audience = text('JWT_AUDIENCE', undefined);
  const keysUrl = parseSetting(
    environment,
    'JWT_JWKS_URL',
    'an https URL, or an http URL of this machine: over plain HTTP the keys could be replaced on their way',
    parseKeysUrl,
    undefined,
  );
  const userClaim = text('JWT_USER_CLAIM', 'sub');
  const roleClaim = text('JWT_ROLE_CLAIM', undefined);
  const scopesClaim = text('JWT_SCOPES_CLAIM', undefined);
  const trustEmail = parseSetting(environment, 'JWT_TRUST_EMAIL', '1 or 0', zeroOrOne, false);
  const provision = parseSetting(environment, 'JWT_PROVISION', '1 or 0', zeroOrOne, false);
  const adminLogin = readAdminLogin(environment);
  if (issuer === undefined || audience === undefined || keysUrl === undefined) {
    const missing = required.find((name) => !isSet(name));
    const present = [...required, ...optional].find(isSet);
    if (missing === undefined || present === undefined) return undefined;
    throw new SettingError(missing, `must be set where ${present} is.`);
  }
  if (adminLogin !== undefined && !isDiscoverable(issuer)) {
    throw new SettingError(
      'JWT_ISSUER',
      'must be an https URL where ADMIN_OIDC_CLIENT_ID is set, or an http URL of this machine: the endpoints of the login are found below it.',
    );
  }
  return {
    ...{ issuer, audience, keysUrl, userClaim, trustEmail, provision, roleClaim, scopesClaim },
    adminLogin,
  };
};

/** @throws SettingError for scopes without a client */
const readAdminLogin = (environment: Environment): AdminLogin | undefined => {
  const clientId = parseSetting(
    environment,
    'ADMIN_OIDC_CLIENT_ID',
    '1 to 255 visible ASCII characters without spaces',
    visibleAscii(1, 255),
    undefined,
  );
  const scope = parseSetting(
    environment,
    'ADMIN_OIDC_SCOPE',
    'scopes with one space between, openid among them',
    parseScope,
    undefined,
  );
  if (clientId !== undefined) return { clientId, scope: scope ?? 'openid' };
  if (scope !== undefined)
    throw new SettingError('ADMIN_OIDC_CLIENT_ID', 'must be set where ADMIN_OIDC_SCOPE is.');
  return undefined;
};

/** RFC 6749 section 3.3. Without `openid` a provider does not log anyone in, it only grants access. */
const parseScope = (text: string): string | undefined =>
  /^[!#-[\]-~]+( [!#-[\]-~]+)*$/.test(text) && text.length <= 500 && text.split(' ').includes('openid')
    ? text
    : undefined;

const isDiscoverable = (issuer: string): boolean => {
  const url = secureUrl(issuer);
  return url !== undefined && !/[?#]/.test(issuer) && url.username === '' && url.password === '';
};

const parseKeysUrl = (text: string): string | undefined => {
  const url = secureUrl(text);
  return url?.username === '' && url.password === '' ? url.href : undefined;
};
