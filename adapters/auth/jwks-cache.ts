import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { ApplicationError } from '#application/errors.ts';

interface Times {
  /** How long the provider is waited for. */
  readonly patience?: number;
  /** How soon it is asked again for a key that it did not have. */
  readonly pause?: number;
  /** How long its keys are used before it is asked for them anew, while they are used. */
  readonly freshness?: number;
  /** How long they are used when it cannot be asked. */
  readonly endurance?: number;
}

const minute = 60_000;

/** How soon a provider that was away is asked again, in milliseconds. */
const recovery = 2_000;

/**
 * The public keys of an identity provider. It is asked for them at their first use, now and then, and for a key that is
 * not known yet: one question at a time, and never more often than the pause lets it, whatever tokens come along.
 */
export class KeySet {
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  readonly #report: (error: unknown) => void;
  readonly #pause: number;
  readonly #freshness: number;
  readonly #endurance: number;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #failed = false;
  #loading: Promise<void> | undefined;

  /** @param report told when the keys could not be had. All times are in milliseconds. */
  constructor(url: string, report: (error: unknown) => void, times: Times = {}) {
    const { patience = 3_000, pause = 10_000, freshness = 5 * minute, endurance = 24 * 60 * minute } = times;
    // When to ask is decided here, for failures count as well.
    const never = { cooldownDuration: Number.POSITIVE_INFINITY, cacheMaxAge: Number.POSITIVE_INFINITY };
    this.#remote = createRemoteJWKSet(new URL(url), { timeoutDuration: patience, ...never });
    this.#report = report;
    this.#pause = pause;
    this.#freshness = freshness;
    this.#endurance = endurance;
  }

  /** @throws ApplicationError 'unavailable' when it cannot be known whether there is such a key */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const age = performance.now() - this.#loadedAt;
    if (age > this.#endurance) await this.#ask();
    // The keys that are known are good for longer; that the provider is away is told when they are not.
    else if (age > this.#freshness && this.#mayAsk) this.#ask().catch(() => undefined);
    try {
      return await this.#remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const isNew = this.#mayAsk || this.#loading !== undefined;
      if (!isNew && !this.#failed) throw error;
      await this.#ask();
      return this.#remote(header, token);
    }
  };

  /** How many keys there are. @throws ApplicationError 'unavailable' */
  async count(): Promise<number> {
    await this.#ask();
    return this.#remote.jwks()?.keys.length ?? 0;
  }

  get #mayAsk(): boolean {
    const pause = this.#failed ? Math.min(this.#pause, recovery) : this.#pause;
    return performance.now() - this.#askedAt >= pause;
  }

  async #ask(): Promise<void> {
    if (this.#loading === undefined && this.#failed && !this.#mayAsk) throw away();
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    this.#askedAt = performance.now();
    try {
      await this.#remote.reload();
      this.#loadedAt = performance.now();
      this.#failed = false;
    } catch (error) {
      this.#failed = true;
      this.#report(error);
      throw away(error);
    }
  }
}

const away = (cause?: unknown): ApplicationError =>
  new ApplicationError('unavailable', 'The identity provider cannot be asked.', cause);
