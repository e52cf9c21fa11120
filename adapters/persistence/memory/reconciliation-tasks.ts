import type { ProviderObject } from '#application/ports/charge-lifecycle.ts';
import type { ReconciliationTask, ReconciliationTaskStore } from '#application/ports/reconciliation-tasks.ts';
import type { Instant } from '#domain/instant.ts';
import type { Draft } from './rows.ts';

/** How far the list of events of a provider was read. */
export interface ReadPosition {
  readonly until: Instant;
}

export class MemoryReconciliationTasks implements ReconciliationTaskStore {
  readonly #draft: Draft<ReconciliationTask>;
  readonly #readPositions: Draft<ReadPosition>;

  constructor(draft: Draft<ReconciliationTask>, readPositions: Draft<ReadPosition>) {
    this.#draft = draft;
    this.#readPositions = readPositions;
  }

  async find(provider: string, providerObject: ProviderObject): Promise<ReconciliationTask | undefined> {
    return this.#draft.get(keyOf(provider, providerObject));
  }

  async listDue(provider: string, now: Instant, limit: number): Promise<readonly ReconciliationTask[]> {
    return [...this.#draft.walk()]
      .filter((task) => task.provider === provider && task.dueAt <= now)
      .sort((one, other) => (one.dueAt < other.dueAt ? -1 : 1))
      .slice(0, limit);
  }

  async providers(): Promise<readonly string[]> {
    return [...new Set(Array.from(this.#draft.walk(), ({ provider }) => provider))];
  }

  async enqueue(provider: string, { kind, reference }: ProviderObject, at: Instant): Promise<void> {
    const key = keyOf(provider, { kind, reference });
    const known = this.#draft.get(key) ?? anew(provider, { kind, reference }, at);
    this.#draft.put(key, { ...known, dueAt: at, attempts: 0, events: known.events + 1 });
  }

  async schedule(
    provider: string,
    { kind, reference }: ProviderObject,
    dueAt: Instant,
    at: Instant,
  ): Promise<void> {
    const key = keyOf(provider, { kind, reference });
    if (this.#draft.get(key) === undefined)
      this.#draft.put(key, { ...anew(provider, { kind, reference }, at), dueAt });
  }

  async claim(task: ReconciliationTask, now: Instant, dueAt: Instant): Promise<boolean> {
    const current = this.#unchanged(task);
    if (current?.attempts !== task.attempts) return false;
    this.#draft.put(keyOf(task.provider, task), {
      ...current,
      dueAt,
      lastAttemptAt: now,
      attempts: current.attempts + 1,
    });
    return true;
  }

  async postpone(task: ReconciliationTask, dueAt: Instant): Promise<void> {
    const current = this.#unchanged(task);
    if (current !== undefined)
      this.#draft.put(keyOf(task.provider, task), { ...current, dueAt, attempts: 0 });
  }

  async remove(task: ReconciliationTask): Promise<void> {
    if (this.#unchanged(task) !== undefined) this.#draft.put(keyOf(task.provider, task), undefined);
  }

  async eventsReadUntil(provider: string): Promise<Instant | undefined> {
    return this.#readPositions.get(provider)?.until;
  }

  async saveEventsReadUntil(provider: string, until: Instant): Promise<void> {
    const known = this.#readPositions.get(provider);
    if (known === undefined || known.until < until) this.#readPositions.put(provider, { until });
  }

  /** The task as it is now, unless it is gone or an event has named its object since it was read. */
  #unchanged({
    provider,
    events,
    createdAt,
    ...providerObject
  }: ReconciliationTask): ReconciliationTask | undefined {
    const current = this.#draft.get(keyOf(provider, providerObject));
    return current?.events === events && current.createdAt === createdAt ? current : undefined;
  }
}

const keyOf = (provider: string, { kind, reference }: ProviderObject): string =>
  JSON.stringify([provider, kind, reference]);

const anew = (provider: string, providerObject: ProviderObject, at: Instant): ReconciliationTask => ({
  ...providerObject,
  provider,
  createdAt: at,
  dueAt: at,
  lastAttemptAt: null,
  attempts: 0,
  events: 0,
});
