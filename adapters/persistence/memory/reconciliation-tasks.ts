import type { Place } from '#application/ports/charge-lifecycle.ts';
import type { LookUp, LookUpStore } from '#application/ports/reconciliation-tasks.ts';
import type { Instant } from '#domain/instant.ts';
import type { Draft } from './rows.ts';

/** How far the list of events of a provider was read. */
export interface ProviderNews {
  readonly until: Instant;
}

export class MemoryLookUps implements LookUpStore {
  readonly #draft: Draft<LookUp>;
  readonly #news: Draft<ProviderNews>;

  constructor(draft: Draft<LookUp>, news: Draft<ProviderNews>) {
    this.#draft = draft;
    this.#news = news;
  }

  async find(provider: string, place: Place): Promise<LookUp | undefined> {
    return this.#draft.get(keyOf(provider, place));
  }

  async due(provider: string, now: Instant, limit: number): Promise<readonly LookUp[]> {
    return [...this.#draft.walk()]
      .filter((lookUp) => lookUp.provider === provider && lookUp.dueAt <= now)
      .sort((one, other) => (one.dueAt < other.dueAt ? -1 : 1))
      .slice(0, limit);
  }

  async providers(): Promise<readonly string[]> {
    return [...new Set(Array.from(this.#draft.walk(), ({ provider }) => provider))];
  }

  async note(provider: string, { kind, reference }: Place, at: Instant): Promise<void> {
    const key = keyOf(provider, { kind, reference });
    const known = this.#draft.get(key) ?? anew(provider, { kind, reference }, at);
    this.#draft.put(key, { ...known, dueAt: at, attempts: 0, events: known.events + 1 });
  }

  async follow(provider: string, { kind, reference }: Place, dueAt: Instant, at: Instant): Promise<void> {
    const key = keyOf(provider, { kind, reference });
    if (this.#draft.get(key) === undefined)
      this.#draft.put(key, { ...anew(provider, { kind, reference }, at), dueAt });
  }

  async take(lookUp: LookUp, now: Instant, dueAt: Instant): Promise<boolean> {
    const current = this.#unchanged(lookUp);
    if (current?.attempts !== lookUp.attempts) return false;
    this.#draft.put(keyOf(lookUp.provider, lookUp), {
      ...current,
      dueAt,
      lookedUpAt: now,
      attempts: current.attempts + 1,
    });
    return true;
  }

  async postpone(lookUp: LookUp, dueAt: Instant): Promise<void> {
    const current = this.#unchanged(lookUp);
    if (current !== undefined)
      this.#draft.put(keyOf(lookUp.provider, lookUp), { ...current, dueAt, attempts: 0 });
  }

  async remove(lookUp: LookUp): Promise<void> {
    if (this.#unchanged(lookUp) !== undefined) this.#draft.put(keyOf(lookUp.provider, lookUp), undefined);
  }

  async newsReadUntil(provider: string): Promise<Instant | undefined> {
    return this.#news.get(provider)?.until;
  }

  async readNewsUntil(provider: string, until: Instant): Promise<void> {
    const known = this.#news.get(provider);
    if (known === undefined || known.until < until) this.#news.put(provider, { until });
  }

  /** The look-up as it is now, unless it is gone or an event has named its place since it was read. */
  #unchanged({ provider, events, createdAt, ...place }: LookUp): LookUp | undefined {
    const current = this.#draft.get(keyOf(provider, place));
    return current?.events === events && current.createdAt === createdAt ? current : undefined;
  }
}

const keyOf = (provider: string, { kind, reference }: Place): string =>
  JSON.stringify([provider, kind, reference]);

const anew = (provider: string, place: Place, at: Instant): LookUp => ({
  ...place,
  provider,
  createdAt: at,
  dueAt: at,
  lookedUpAt: null,
  attempts: 0,
  events: 0,
});
