import {
  type MissingTime,
  type MissingTimes,
  type TimedCollection,
  timeFields,
} from '#application/ports/missing-times.ts';
import type { Resource } from '#domain/resource.ts';
import type { Draft } from './rows.ts';

/** Fills in times without a check of versions, which stay as they are. */
export class MemoryMissingTimes implements MissingTimes {
  readonly #drafts: Readonly<Record<TimedCollection, unknown>>;

  constructor(drafts: Readonly<Record<TimedCollection, unknown>>) {
    this.#drafts = drafts;
  }

  async fill(collection: TimedCollection, times: readonly MissingTime[]): Promise<void> {
    const draft = this.#drafts[collection] as Draft<Resource>;
    const field = timeFields[collection] as keyof Resource;
    for (const { id, at } of times) {
      const before = draft.get(id);
      if (before !== undefined && before[field] === null) draft.put(id, { ...before, [field]: at });
    }
  }
}
