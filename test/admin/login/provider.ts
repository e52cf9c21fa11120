import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';

/** The client of the admin page. */
const clientId = 'portico-admin';

/** The API's name in tokens. */
const api = 'https://api.shop.example';

interface Exchange {
  readonly grant: string;
  /** Undefined where tokens were given. */
  readonly error: string | undefined;
}

interface Context {
  readonly oidc: {
    readonly provider: Provider;
    readonly session: { readonly accountId: string };
    readonly params: { readonly grant_type: string; readonly resource?: string };
  };
}

/** A certified OpenID provider (`oidc-provider`), at which people sign in by the id of their account. */
export class LoginProvider {
  /** Every request that it got: method, path and query. */
  readonly requests: string[] = [];
  /** What was asked for at its token endpoint, in order. */
  readonly exchanges: Exchange[] = [];
  /** How many refresh tokens were revoked. */
  revoked = 0;
  /** How long access tokens live, in seconds. */
  lifetime = 600;
  /** Whether it gives refresh tokens, each for one use. */
  refreshes = false;
  /** Whether pages of other origins may ask for tokens. */
  allowsOrigins = true;
  /** The audience in its tokens. */
  audience = api;
  /** Whether it accepts connections and never responds. */
  isSilent = false;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * @param home where people are sent back, after sign-in and sign-out
   * @param logsOut whether it has an endpoint for sign-out
   */
  static async start(home: string, logsOut = true): Promise<LoginProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const started = new LoginProvider(server);
    const provider = new Provider(started.issuer, await started.#configuration(home, logsOut));
    started.#observe(provider);
    const handle = provider.callback();
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      if (started.isSilent) return;
      started.requests.push(`${request.method} ${request.url}`);
      if (request.url === '/favicon.ico') response.writeHead(204).end();
      else if (request.url?.startsWith('/sign-in/')) await signIn(provider, request, response);
      else handle(request, response);
    });
    return started;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get settings(): Readonly<Record<string, string>> {
    return {
      JWT_ISSUER: this.issuer,
      JWT_AUDIENCE: api,
      JWT_JWKS_URL: `${this.issuer}/jwks`,
      ADMIN_OIDC_CLIENT_ID: clientId,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #observe(provider: Provider): void {
    const record = ({ oidc }: Context, error?: Error) => {
      this.exchanges.push({ grant: oidc.params.grant_type, error: error?.message });
    };
    provider.on('grant.success', record);
    provider.on('grant.error', record);
    provider.on('refresh_token.destroyed', () => {
      this.revoked += 1;
    });
  }

  async #configuration(home: string, logsOut: boolean): Promise<object> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const client = {
      client_id: clientId,
      redirect_uris: [home],
      ...(logsOut && { post_logout_redirect_uris: [home] }),
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
    return {
      adapter: createMemoryAdapter(),
      clients: [client],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a secret of the tests'] },
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: { enabled: logsOut, logoutSource },
        revocation: { enabled: true, allowedPolicy: () => true },
        resourceIndicators: { enabled: true, getResourceServerInfo: () => this.#resource },
      },
      clientBasedCORS: () => this.allowsOrigins,
      issueRefreshToken: () => this.refreshes,
      rotateRefreshToken: true,
      interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/sign-in/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
      loadExistingGrant: grantAll,
      // Named, because it announces each default.
      ttl: {
        Interaction: 600,
        Session: 600,
        Grant: 600,
        AccessToken: () => this.lifetime,
        IdToken: 600,
        RefreshToken: 600,
      },
    };
  }

  get #resource(): object {
    const token = {
      accessTokenFormat: 'jwt',
      accessTokenTTL: this.lifetime,
      jwt: { sign: { alg: 'RS256' } },
    };
    return { scope: '', audience: this.audience, ...token };
  }
}

/** Grants without a question for consent. */
const grantAll = async ({ oidc: { provider, session, params } }: Context): Promise<object> => {
  const grant = new provider.Grant({ clientId, accountId: session.accountId });
  grant.addOIDCScope('openid');
  if (params.resource !== undefined) grant.addResourceScope(params.resource, '');
  await grant.save();
  return grant;
};

const logoutSource = (context: { body: string }, form: string): void => {
  context.body = `<!doctype html><html lang="en"><title>Sign out there</title>${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out there</button></html>`;
};

const signIn = async (provider: Provider, request: IncomingMessage, response: ServerResponse) => {
  if (request.method === 'POST') {
    const form = new URLSearchParams(await text(request));
    const result = form.has('cancel')
      ? { error: 'access_denied', error_description: '<b>Cancelled</b> there' }
      : { login: { accountId: form.get('account') } };
    return provider.interactionFinished(request, response, result);
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><title>Sign in there</title>
    <form method="post"><label>Account <input name="account"></label><button>Sign in there</button></form>
    <form method="post"><button name="cancel" value="1">Cancel there</button></form></html>`);
};
