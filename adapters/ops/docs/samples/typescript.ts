import { block, type Syntax, singleQuoted, writeValue } from './literals.ts';
import { type Header, headersOf, keyOf, originOf, pathValuesOf, type SampleRequest } from './request.ts';

/** A bare `__proto__` would set the prototype of the object. */
const keyOfObject = (name: string): string => {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name);
};

const syntax: Syntax = {
  indent: '  ',
  key: keyOfObject,
  text: singleQuoted,
  hasTrailingComma: true,
  space: ' ',
};

/** The headers that the typed client accepts as options of a call, by method. */
const optionsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GET: { 'If-None-Match': 'ifNoneMatch' },
  POST: { 'Idempotency-Key': 'idempotencyKey' },
  PUT: { 'Idempotency-Key': 'idempotencyKey', 'If-Match': 'ifMatch' },
  PATCH: { 'Idempotency-Key': 'idempotencyKey', 'If-Match': 'ifMatch' },
  DELETE: { 'If-Match': 'ifMatch' },
};

/** A module that uses the typed client. */
export const typescript = (request: SampleRequest): string => {
  const options = optionsOf[request.method] ?? {};
  const headers = headersOf(request);
  const others = headers.filter(([name]) => options[name] === undefined);
  const parts: readonly string[] = [
    ...field('path', pathValuesOf(request)),
    ...field('query', request.query),
    ...(request.body === undefined ? [] : [`body: ${writeValue(request.body, syntax, '  ')}`]),
    ...headers.flatMap(([name, value]) => {
      const option = options[name];
      return option === undefined ? [] : [`${option}: ${optionValue(name, value)}`];
    }),
  ];
  const target = singleQuoted(`${request.method} ${request.path.replace(/^\/v\d+/, '')}`);
  const sent = `await shop.send(${target}${parts.length === 0 ? '' : `, ${block('{', parts, '}', syntax)}`})`;
  const result =
    request.method === 'DELETE'
      ? `orThrow(${sent});`
      : `const { data } = orThrow(${sent});\nconsole.log(data);`;
  return `import { orThrow, portico } from 'portico/client';\n\n${connection(request, others)}\n\n${result}`;
};

const field = (name: string, values: object): readonly string[] =>
  Object.keys(values).length === 0 ? [] : [`${name}: ${writeValue(values, syntax, '  ')}`];

/** A version is a number for the client: 3 for the ETag `"3"`. */
const optionValue = (name: string, value: string): string => {
  const [, version] = /^"(\d{1,15})"$/.exec(value) ?? [];
  return name !== 'Idempotency-Key' && version !== undefined && `${Number(version)}` === version
    ? version
    : singleQuoted(value);
};

/** The client has no option for some headers, but a `fetch` of one's own can add any. */
const connection = (request: SampleRequest, others: readonly Header[]): string => {
  const options = [`url: ${singleQuoted(originOf(request))}`, `key: ${singleQuoted(keyOf(request))}`];
  if (others.length === 0) return `const shop = portico({ ${options.join(', ')} });`;
  const added = others.map(
    ([name, value]) => `    headers.set(${singleQuoted(name)}, ${singleQuoted(value)});\n`,
  );
  const fetch = `fetch: (url, options) => {
    const headers = new Headers(options?.headers);
${added.join('')}    return fetch(url, { ...options, headers });
  }`;
  return `const shop = portico(${block('{', [...options, fetch], '}', syntax)});`;
};
