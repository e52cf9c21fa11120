import type { SubjectType } from '#domain/event.ts';

/** Resources of which some versions have no event: stock that orders take, payments that begin, and keys that are used. */
const partlyTold: readonly SubjectType[] = ['product', 'order', 'payment', 'api_key'];

/** @returns whether each version of such a resource has its event */
export const isWhollyTold = (subject: string): boolean =>
  !(partlyTold as readonly string[]).includes(subject);
