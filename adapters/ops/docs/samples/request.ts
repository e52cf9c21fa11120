/** A request to the API, as the samples show it. */
export interface SampleRequest {
  /** The API's address without the version: `https://shop.example`. */
  readonly origin: string;
  /** The API key; '' while the reader has given none. */
  readonly key: string;
  readonly method: string;
  /** With the version and placeholders: `/v1/orders/{order_id}`. */
  readonly path: string;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** Without Authorization and Content-Type. */
  readonly headers: Readonly<Record<string, string>>;
  /** Any JSON value; undefined for a request without a body. */
  readonly body?: unknown;
}

export type Header = readonly [name: string, value: string];

/**
 * The name of an id at the end of a path: `product_id` in `/v1/products/{id}`, and for the resources of `/v1/products` too.
 */
export const idNameOf = (path: string): string => {
  const collection = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  return `${collection.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '')}_id`;
};

/** The values of the path. An empty one and dots would name another path, so a placeholder stands for each of them. */
export const pathValuesOf = ({ path, pathValues }: SampleRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const value = pathValues[name] ?? '';
      const placeholder = (name === 'id' ? idNameOf(path) : name).toUpperCase();
      return [name, /^\.{0,2}$/.test(value) ? placeholder : wellFormed(value)];
    }),
  );

/** The URL in full, with every value percent-encoded. */
export const urlOf = (request: SampleRequest): string => {
  const values = pathValuesOf(request);
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const parameters = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  return `${originOf(request)}${path}${parameters.size > 0 ? `?${parameters}` : ''}`;
};

export const originOf = ({ origin }: SampleRequest): string => origin.replace(/\/+$/, '');

export const keyOf = ({ key }: SampleRequest): string => (key === '' ? 'YOUR_API_KEY' : oneLine(key));

/** The headers of the request but Authorization and Content-Type. A header without a value is not sent. */
export const headersOf = ({ headers }: SampleRequest): readonly Header[] =>
  Object.entries(headers)
    .map(([name, value]) => [name, oneLine(value)] as const)
    .filter(([, value]) => value !== '');

/** A header has one line, and no spaces around it (RFC 9110 section 5.5). */
const oneLine = (value: string): string => value.replaceAll(/[\0\r\n]+/g, ' ').trim();

/** `encodeURIComponent` throws for half of a surrogate pair. */
const wellFormed = (value: string): string => value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
