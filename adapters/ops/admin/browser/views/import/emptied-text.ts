import { type EmptiedField, emptiedText } from '../../../product-files/emptied.ts';

/** Counts products by the fields that are emptied of each. @returns an empty text when there is none */
export const emptiedTextOf = (lists: readonly (readonly EmptiedField[])[]): string =>
  emptiedText((field) => lists.filter((fields) => fields.includes(field)).length);
