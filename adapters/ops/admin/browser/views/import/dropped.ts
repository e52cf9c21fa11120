let file: File | undefined;

/** Hands a file to the view of imports, which is opened next. */
export const importFile = (dropped: File): void => {
  file = dropped;
  location.hash = '#/products/import';
};

/** @returns the file that was dropped before; undefined when there is none */
export const consumeDropped = (): File | undefined => {
  const dropped = file;
  file = undefined;
  return dropped;
};
