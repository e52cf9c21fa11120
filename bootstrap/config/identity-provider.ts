import { type Environment, parseSetting, SettingError, visibleAscii, zeroOrOne } from './env-parser.ts';
import { isLoopback } from './loopback.ts';

/** Whose tokens are taken beside our own keys, and what is read in them. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly audience: string;
  /** Where its public keys are. */
  readonly keysUrl: string;
  readonly userClaim: string;
  /** Whether an address is believed of which nothing says that it is verified. */
  readonly trustEmail: boolean;
  readonly roleClaim: string | undefined;
  readonly scopesClaim: string | undefined;
}

const required = ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'] as const;
const needless = ['JWT_USER_CLAIM', 'JWT_TRUST_EMAIL', 'JWT_ROLE_CLAIM', 'JWT_SCOPES_CLAIM'] as const;

/** @throws SettingError */
export const readIdentityProvider = (environment: Environment): IdentityProvider | undefined => {
  const isSet = (name: string) => (environment[name] ?? '') !== '';
  const text = <Otherwise>(name: string, otherwise: Otherwise) =>
    parseSetting(
      environment,
      name,
      '1 to 500 visible ASCII characters, and no space',
      visibleAscii(1, 500),
      otherwise,
    );
  const issuer = text('JWT_ISSUER', undefined);
  const audience = text('JWT_AUDIENCE', undefined);
  const keysUrl = parseSetting(
    environment,
    'JWT_JWKS_URL',
    'an https address, or an http address of this machine, because whoever changes the keys on their way is everybody',
    safeAddress,
    undefined,
  );
  const [userClaim, roleClaim, scopesClaim] = [
    text('JWT_USER_CLAIM', 'sub'),
    text('JWT_ROLE_CLAIM', undefined),
    text('JWT_SCOPES_CLAIM', undefined),
  ];
  const trustEmail = parseSetting(environment, 'JWT_TRUST_EMAIL', '1 or 0', zeroOrOne, false);
  if (issuer === undefined || audience === undefined || keysUrl === undefined) {
    const missing = required.find((name) => !isSet(name));
    const reason = [...required, ...needless].find(isSet);
    if (missing === undefined || reason === undefined) return undefined;
    throw new SettingError(missing, `must be set where ${reason} is.`);
  }
  return { issuer, audience, keysUrl, userClaim, trustEmail, roleClaim, scopesClaim };
};

const safeAddress = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host)) ? url.href : undefined;
};
