import type { ApiKeyId } from '#domain/api-key.ts';

/** The maximum number of requests of one credential that wait in a process. */
const maxWaitingPerCredential = 20;

/** Bounds the requests that wait at the same time in this process. */
export class WaitSlots {
  readonly #max: number;
  readonly #byKey = new Map<ApiKeyId, number>();
  #taken = 0;

  /** @param max of all requests in this process */
  constructor(max: number) {
    this.#max = max;
  }

  /** @returns whether there was room; then `release` gives it back */
  acquire(keyId: ApiKeyId): boolean {
    const ofKey = this.#byKey.get(keyId) ?? 0;
    if (this.#taken >= this.#max || ofKey >= maxWaitingPerCredential) return false;
    this.#taken += 1;
    this.#byKey.set(keyId, ofKey + 1);
    return true;
  }

  release(keyId: ApiKeyId): void {
    const left = (this.#byKey.get(keyId) ?? 0) - 1;
    this.#taken -= 1;
    if (left > 0) this.#byKey.set(keyId, left);
    else this.#byKey.delete(keyId);
  }
}
