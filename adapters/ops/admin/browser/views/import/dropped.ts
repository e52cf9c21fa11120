// @ts-nocheck
let file: unknown;

/** Hands a file to the view of imports, which is opened next. */
export const importFile = (dropped) => {
  file = dropped;
  location.hash = '#/products/import';
};

/** @returns the file that was dropped before; undefined when there is none */
export const takeDropped = () => {
  const dropped = file;
  file = undefined;
  return dropped;
};
