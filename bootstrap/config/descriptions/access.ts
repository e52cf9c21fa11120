import { type SettingGroup, setting } from './description.ts';

export const credentials: SettingGroup = {
  title: 'Keys and identity providers',
  settings: [
    setting('ADMIN_API_KEY', '', "An administrator's key of your choice: 32 to 200 visible characters."),
    setting(
      'JWT_ISSUER',
      '',
      'The [identity provider](identity-providers.md) whose access tokens are accepted beside API keys. Set it with `JWT_AUDIENCE` and `JWT_JWKS_URL`, or none of the three.',
    ),
    setting('JWT_AUDIENCE', '', 'The audience that an access token must name.'),
    setting(
      'JWT_JWKS_URL',
      '',
      "Where the identity provider's public keys are: https, or plain http for a URL of this machine.",
    ),
    setting(
      'JWT_USER_CLAIM',
      '',
      "The claim with the user's id in Portico, `sub` if empty. With `email` it is the user's e-mail address.",
    ),
    setting(
      'JWT_TRUST_EMAIL',
      '',
      '`1` accepts addresses without an `email_verified` claim. Set it only if users cannot change their address at the provider.',
    ),
    setting(
      'JWT_PROVISION',
      '',
      '`1` [creates a customer](identity-providers.md#sign-customers-up) at the first token with a verified address, or links the customer who has that address.',
    ),
    setting(
      'JWT_ROLE_CLAIM',
      '',
      "The claim that narrows the user's role. Dots reach into objects: `realm_access.roles`.",
    ),
    setting('JWT_SCOPES_CLAIM', '', "The claim that narrows the user's scopes."),
    setting(
      'ADMIN_OIDC_CLIENT_ID',
      '',
      'A public client (PKCE) at the identity provider, by which people [sign in to the admin page](identity-providers.md#sign-in-to-the-admin-page). Empty for API keys only.',
    ),
    setting('ADMIN_OIDC_SCOPE', '', 'The scopes that the admin page asks for, `openid` if empty.'),
  ],
};

export const browsers: SettingGroup = {
  title: 'Browsers',
  settings: [
    setting(
      'CORS_ORIGIN',
      '',
      "The one origin that browsers may call from. By default the API's own, such as `http://127.0.0.1:3000`.",
    ),
    setting(
      'CORS_ALLOW_METHODS',
      'GET, POST, PUT, DELETE',
      'The methods that pages of that origin may send.',
    ),
    setting(
      'CORS_ALLOW_HEADERS',
      'Content-Type, Authorization',
      'The headers that pages of that origin may send.',
    ),
  ],
};
