import type { Json } from '../http/support/client.ts';

/** A request of a Postman collection (format 2.1). */
export interface PostmanRequest {
  readonly name: string;
  readonly method: string;
  /** As the OpenAPI document has it: `/v1/products/{id}`. */
  readonly path: string;
  readonly request: Json;
}

/** All requests of a collection, or of a folder in it. */
export const requestsOf = ({ item: items }: Json): readonly PostmanRequest[] =>
  items.flatMap((item: Json) => (item.item ? requestsOf(item) : [requestOf(item)]));

const requestOf = ({ name, request }: Json): PostmanRequest => {
  const segments: readonly string[] = request.url.path;
  const path = segments.map((segment) => `/${segment.replace(/^:(.+)/, '{$1}')}`).join('');
  return { name, method: request.method, path, request };
};

/** The requests of a collection that need no id in their path. */
export const listsOf = (collection: Json): readonly PostmanRequest[] =>
  requestsOf(collection).filter(({ method, path }) => method === 'GET' && !path.includes('{'));

/** Sends a request as Postman does: with the variables of its collection, and without what is disabled. */
export const send = async (
  collection: Json,
  { request }: PostmanRequest,
  bearerToken: string,
): Promise<{ readonly status: number; readonly body: Json }> => {
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(collection.variable.map(({ key, value }: Json) => [key, value])),
    bearerToken,
  };
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name) => values[name] ?? '');
  const enabled = (pairs: readonly Json[] = []): string[][] =>
    pairs.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, filled(value)]);
  const { url, header, method, body, auth } = request;
  const address = new URL(`${filled(url.host.join('.'))}/${url.path.join('/')}`);
  for (const [name = '', value = ''] of enabled(url.query)) address.searchParams.append(name, value);
  const [{ value: token }] = auth.bearer;
  const headers = new Headers([...enabled(header), ['Authorization', `Bearer ${filled(token)}`]] as [
    string,
    string,
  ][]);
  const response = await fetch(address, { method, headers, body: body?.raw ?? null });
  return { status: response.status, body: await response.json() };
};
