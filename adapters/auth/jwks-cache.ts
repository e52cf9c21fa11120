import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { UnavailableError } from '#application/errors.ts';

interface JwksCacheOptions {
  /** How long a request to the provider may take, in milliseconds. */
  readonly timeoutMs?: number;
}

const minute = 60_000;

const defaultTimeoutMs = 3_000;

/** The minimum time between two requests to the provider for unknown keys, and after a failed one. In milliseconds. */
const cooldownMs = 10_000;
const errorCooldownMs = 2_000;

/** The age from which keys are refreshed in the background as they are used. */
const maxAgeMs = 5 * minute;

/** How long keys are used while the provider is unavailable. */
const maxStaleMs = 24 * 60 * minute;

/**
 * The public keys of an identity provider (JWKS, RFC 7517). They are requested at their first use, when they are old, and for
 * an unknown key id: one request at a time, and no more often than the cooldown allows, whatever tokens clients send.
 */
export class JwksCache {
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  readonly #report: (error: unknown) => void;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #loading: Promise<void> | undefined;

  /** @param report called with the error when the keys could not be loaded */
  constructor(
    url: string,
    report: (error: unknown) => void,
    { timeoutMs: timeoutDuration = defaultTimeoutMs }: JwksCacheOptions = {},
  ) {
    // jose's own refresh does not count failed requests, so this class decides when to send one.
    const never = { cooldownDuration: Number.POSITIVE_INFINITY, cacheMaxAge: Number.POSITIVE_INFINITY };
    this.#remote = createRemoteJWKSet(new URL(url), { timeoutDuration, ...never });
    this.#report = report;
  }

  /**
   * Finds the key that a token names.
   * @throws JWKSNoMatchingKey when the provider has no such key; ApplicationError 'unavailable' when it does not respond
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const age = performance.now() - this.#loadedAt;
    if (age > maxStaleMs) await this.#refresh();
    // The cached keys stay good; `#load` has reported the error already.
    else if (age > maxAgeMs && this.#isCooledDown) this.#refresh().catch(() => undefined);
    try {
      return await this.#remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const mayBeNew = this.#isCooledDown || this.#loading !== undefined;
      if (!mayBeNew && !this.#hasFailed) throw error;
      await this.#refresh();
      return this.#remote(header, token);
    }
  };

  /** Loads the keys. @returns how many there are @throws ApplicationError 'unavailable' */
  async count(): Promise<number> {
    await this.#refresh();
    return this.#remote.jwks()?.keys.length ?? 0;
  }

  get #isCooledDown(): boolean {
    const cooldown = this.#hasFailed ? errorCooldownMs : cooldownMs;
    return performance.now() - this.#requestedAt >= cooldown;
  }

  async #refresh(): Promise<void> {
    if (this.#loading === undefined && this.#hasFailed && !this.#isCooledDown) throw unavailable();
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    this.#requestedAt = performance.now();
    try {
      await this.#remote.reload();
      this.#loadedAt = performance.now();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      this.#report(error);
      throw unavailable(error);
    }
  }
}

const unavailable = (cause?: unknown): UnavailableError =>
  new UnavailableError('identity-provider-unavailable', cause);
