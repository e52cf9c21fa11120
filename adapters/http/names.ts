const known = new Map<string, string>();

/** `productId` as JSON and query strings spell it: `product_id`. The names are few, so each is spelled once. */
export const snakeCase = (name: string): string => {
  const spelled = known.get(name);
  if (spelled !== undefined) return spelled;
  const spelling = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (known.size < 1000) known.set(name, spelling);
  return spelling;
};
