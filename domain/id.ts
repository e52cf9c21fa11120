declare const kind: unique symbol;

/** A UUIDv7 in lower case: unique everywhere, and ordered by the time it was made. */
export type Id<Of extends string = string> = string & { readonly [kind]: Of };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const Id = {
  /** Takes any UUID in any case; undefined when the text is none. */
  parse: <I extends Id>(text: string): I | undefined => {
    const lowerCase = text.toLowerCase();
    return uuid.test(lowerCase) ? (lowerCase as I) : undefined;
  },

  /** The 32 hexadecimal digits of an id, for where hyphens are in the way. */
  toHex: (id: Id): string => id.replaceAll('-', ''),

  /** Undefined when the text is not 32 hexadecimal digits. */
  fromHex: <I extends Id>(hex: string): I | undefined =>
    Id.parse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')),
};
