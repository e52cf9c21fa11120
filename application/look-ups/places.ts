import { text } from '#domain/text.ts';
import type { Place } from '../ports/followed-charges.ts';

export const placeKinds = ['charge', 'refund', 'dispute'] as const satisfies readonly Place['kind'][];

const reference = text(1, 255);

/**
 * Whether a place can be noted. Anything can be sent as an event, and a provider from outside may list anything: a reference that no store
 * can hold would fail with each try.
 */
export const isPlace = (place: { readonly kind: unknown; readonly reference: unknown }): place is Place =>
  placeKinds.includes(place.kind as Place['kind']) &&
  typeof place.reference === 'string' &&
  reference.violation(place.reference) === undefined;
