import type { SampleRequest } from '#adapters/ops/docs/samples/index.ts';
import type { Json } from '../../http/support/client.ts';
import type { Operation } from '../../http/support/described.ts';
import type { Arrived } from './recorder.ts';

/** A request of an operation with a value for everything that it accepts. */
export const requestOf = (
  { method, path, parameters, requestBody }: Operation,
  origin: string,
  { key, text, header, body }: Values,
): SampleRequest => {
  const at = (place: string): readonly Json[] => parameters.filter((parameter) => parameter.in === place);
  const fill = (place: string, value: (parameter: Json) => Json): Record<string, Json> =>
    Object.fromEntries(at(place).map((parameter) => [parameter.name, value(parameter)]));
  return {
    ...{ origin, key, method, path },
    pathValues: fill('path', text),
    query: fill('query', text),
    headers: fill('header', header),
    ...(requestBody && { body: body(Object.values<Json>(requestBody.content)[0].example) }),
  };
};

export interface Values {
  readonly key: string;
  readonly text: (parameter: Json) => Json;
  readonly header: (parameter: Json) => string;
  readonly body: (example: Json) => Json;
}

const exampleOf = ({ schema }: Json): Json => schema.enum?.[0] ?? schema.examples?.[0] ?? schema.default ?? 1;

/** Values as the OpenAPI document shows them. */
export const examples: Values = {
  key: 'ptc_key',
  text: exampleOf,
  header: exampleOf,
  body: (example) => example,
};

const inShells = `it's "quoted" $(touch hacked) \`touch hacked\` \${HOME} \\ \\' \\" %41 #{x} !! ~ *`;

const anywhere = `${inShells} a/b/../c?d=e&f;g+h {order_id} [1-9]\n"""\t\r\0 é 🛒 \u202e \u2028 \x7f ''' \\n \\u0041`;

/** Values that would break out of careless quotes. */
export const hostile: Values = {
  key: `ptc_${inShells}`,
  text: ({ schema }) => (schema.type === 'integer' ? 7 : anywhere),
  header: () => inShells,
  body: (example) => ({
    ...example,
    text: anywhere,
    half: '\ud800',
    'a b': [null, true, false, -1.5e-7, [], {}, ['true']],
    ...JSON.parse('{"__proto__": {"constructor": 1}}'),
    [anywhere]: { ...Object.fromEntries([[inShells, anywhere]]) },
  }),
};

/** A request as it must arrive. */
export const meant = ({ path, pathValues, query, headers, key, method, body }: SampleRequest): Arrived => ({
  method,
  path: path.split('/').map((part) => pathValues[part.slice(1, -1)] ?? part),
  query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, `${value}`])),
  headers: {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  },
  body,
});
