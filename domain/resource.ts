import type { Instant } from './instant.ts';

declare const kind: unique symbol;

/** A UUIDv7 in lower case (RFC 9562 section 5.7): globally unique, and ordered by creation time. */
export type Id<Of extends string = string> = string & { readonly [kind]: Of };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const Id = {
  /** Parses a UUID of any version in any case. @returns undefined when the text is not a UUID */
  parse: <I extends Id>(text: string): I | undefined => {
    const lowerCase = text.toLowerCase();
    return uuid.test(lowerCase) ? (lowerCase as I) : undefined;
  },

  /** The 32 hexadecimal digits of an id, without hyphens. */
  toHex: (id: Id): string => id.replaceAll('-', ''),

  /** @returns undefined when the text is not 32 hexadecimal digits */
  fromHex: <I extends Id>(hex: string): I | undefined =>
    Id.parse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')),
};

/** The fields that every resource has. */
export interface Resource<I extends Id = Id> {
  readonly id: I;
  /** Optimistic concurrency: starts at 1 and increases by 1 with each change. */
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The common fields of a new resource. */
export const newResource = <I extends Id>(id: I, at: Instant): Resource<I> => ({
  id,
  version: 1,
  createdAt: at,
  updatedAt: at,
});

/** The next version of a resource. `updatedAt` never decreases, even when the clock is set back. */
export const updated = <T extends Resource>(resource: T, changes: NoInfer<Partial<T>>, at: Instant): T => ({
  ...resource,
  ...changes,
  version: resource.version + 1,
  updatedAt: at > resource.updatedAt ? at : resource.updatedAt,
});
