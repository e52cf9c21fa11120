/** What the admin page needs of an identity provider to log people in. */
export interface LoginEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Where people log out. OpenID Connect RP-Initiated Logout 1.0. */
  readonly endSession: string | undefined;
  /** Where refresh tokens are revoked. RFC 7009. */
  readonly revocation: string | undefined;
  /** Whether the provider names itself when it sends people back. RFC 9207. */
  readonly namesItself: boolean;
}

interface Options {
  readonly issuer: string;
  /** Parses a URL that nothing on the way can replace; undefined for others. */
  readonly parseUrl: (text: string) => URL | undefined;
  /** Called with the error when the metadata could not be loaded. */
  readonly report: (error: unknown) => void;
}

/** The members that are read. OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2. */
interface Metadata {
  readonly [name: string]: unknown;
  readonly issuer?: unknown;
  readonly code_challenge_methods_supported?: unknown;
  readonly authorization_response_iss_parameter_supported?: unknown;
}

/** The age from which metadata is refreshed in the background as it is used. In milliseconds. */
const maxAgeMs = 5 * 60_000;

/** How long no request is sent after a failed one. In milliseconds. */
const cooldownMs = 2_000;

/** How long a request to the provider may take. */
const timeoutMs = 3_000;

/** In characters, far above any provider's metadata. */
const maxLength = 200_000;

/** The metadata of a provider that cannot be used. The message is for operators. */
export class MetadataError extends Error {}

/**
 * The metadata of an identity provider (OpenID Connect Discovery 1.0). It is loaded at its first use and when it is old: one request at
 * a time, and none for a while after a failure. Known metadata stays in use while the provider is unavailable.
 */
export class ProviderMetadata {
  readonly #options: Options;
  #known: LoginEndpoints | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<LoginEndpoints | undefined> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @returns undefined when it is unknown, and the provider does not respond or cannot be used; it never rejects */
  async find(): Promise<LoginEndpoints | undefined> {
    if (this.#known === undefined) return this.#refresh();
    if (performance.now() - this.#loadedAt > maxAgeMs) this.#refresh();
    return this.#known;
  }

  async #refresh(): Promise<LoginEndpoints | undefined> {
    if (performance.now() - this.#failedAt < cooldownMs) return undefined;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<LoginEndpoints | undefined> {
    try {
      this.#known = await fetchMetadata(this.#options);
      this.#loadedAt = performance.now();
      return this.#known;
    } catch (error) {
      this.#failedAt = performance.now();
      this.#options.report(error);
      return undefined;
    }
  }
}

/**
 * Fetches and checks the metadata of a provider.
 * @throws MetadataError
 */
export const fetchMetadata = async ({
  issuer,
  parseUrl,
}: Pick<Options, 'issuer' | 'parseUrl'>): Promise<LoginEndpoints> => {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (metadata.issuer !== issuer)
    throw new MetadataError(`its metadata is of the issuer ${JSON.stringify(metadata.issuer)}`);
  // Providers that state no methods may still support this one. One that states others never does.
  const { code_challenge_methods_supported: methods } = metadata;
  if (Array.isArray(methods) && !methods.includes('S256'))
    throw new MetadataError('it does not support PKCE with S256');
  const optional = (name: string): string | undefined => {
    const value = metadata[name];
    if (value === undefined || value === null) return undefined;
    const url = typeof value === 'string' ? parseUrl(value) : undefined;
    if (url === undefined) throw new MetadataError(`its ${name} is no https URL`);
    return url.href;
  };
  const required = (name: string): string => {
    const url = optional(name);
    if (url === undefined) throw new MetadataError(`its metadata has no ${name}`);
    return url;
  };
  return {
    authorization: required('authorization_endpoint'),
    token: required('token_endpoint'),
    endSession: optional('end_session_endpoint'),
    revocation: optional('revocation_endpoint'),
    namesItself: metadata.authorization_response_iss_parameter_supported === true,
  };
};

const fetchJson = async (url: string): Promise<Metadata> => {
  try {
    const response = await fetch(url, {
      // The metadata of another address is that of another issuer.
      redirect: 'error',
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new MetadataError(`${url} has the status ${response.status}`);
    const parsed: unknown = JSON.parse(await readUpTo(maxLength, response));
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
    throw new MetadataError(`${url} has no JSON object`);
  } catch (error) {
    if (error instanceof MetadataError) throw error;
    const { message, cause } = error as Error;
    throw new MetadataError(`${url} cannot be fetched: ${cause instanceof Error ? cause.message : message}`, {
      cause: error,
    });
  }
};

const readUpTo = async (max: number, { body }: Response): Promise<string> => {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > max) throw new MetadataError(`it is longer than ${max} characters`);
  }
  return text;
};
