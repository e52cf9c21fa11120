/** What is nested in another resource, and is named after it. */
const nestedKinds: Readonly<Record<string, string>> = { items: 'order-item', secrets: 'webhook-secret' };

/** `api-keys` is `api-key`. */
export const singular = (collection: string): string =>
  collection.endsWith('ies') ? `${collection.slice(0, -3)}y` : collection.slice(0, -1);

/** The kind of resource in a collection, by its name in a path: `items` are of the kind `order-item`. */
export const kindIn = (collection: string): string => nestedKinds[collection] ?? singular(collection);
