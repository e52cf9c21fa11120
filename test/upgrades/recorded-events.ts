import { readFileSync, writeFileSync } from 'node:fs';
import { declarations } from '#application/events/declarations.ts';
import { collectionNames } from '#application/ports/repositories.ts';
import { version } from '#bootstrap/process/version.ts';
import type { SubjectType } from '#domain/event.ts';
import type { Resource } from '#domain/resource.ts';
import { aPurchase, sampleOf } from '../contracts/samples.ts';

/** What the events of a release hold, by their subjects. */
export interface RecordedEvents {
  readonly version: string;
  readonly data: { readonly [S in SubjectType]?: Resource };
}

const place = new URL('previous-release/events.json', import.meta.url);

/** What events hold now, by their subjects: the sample of each collection that has events, an order with its items. */
export const eventDataOfToday = (): RecordedEvents['data'] => {
  const purchase = aPurchase();
  const data = collectionNames.flatMap((name): readonly (readonly [SubjectType, object])[] => {
    const declaration = declarations[name];
    if ('none' in declaration) return [];
    const { subject, hidden = [] } = declaration;
    const items = subject === 'order' ? { items: [purchase.item] } : {};
    const sample = Object.entries({ ...sampleOf[name](purchase), ...items });
    return [[subject, Object.fromEntries(sample.filter(([field]) => !hidden.includes(field as never)))]];
  });
  return Object.fromEntries(data);
};

/** Records it for the tests of the next release. */
export const recordEvents = (): void =>
  writeFileSync(place, `${JSON.stringify({ version, data: eventDataOfToday() }, null, 2)}\n`);

/** Reads what the events of the release before this one hold. */
export const previousEvents = (): RecordedEvents => JSON.parse(readFileSync(place, 'utf8'));
