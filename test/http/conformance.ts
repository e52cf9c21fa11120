import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer, Json } from './client.ts';
import { document } from './described.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 });
formats.default(ajv);
ajv.addSchema({ $id: 'document', ...(document as object) });

interface Operation {
  readonly target: string;
  readonly matches: (method: string, path: string) => boolean;
  readonly responses: Readonly<Record<string, Json>>;
}

const operations: readonly Operation[] = Object.entries(document.paths as Json).flatMap(
  ([path, methods]: [string, Json]) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return Object.entries(methods).map(([method, { responses }]: [string, Json]) => ({
      target: `${method.toUpperCase()} ${path}`,
      matches: (asked: string, address: string) => asked.toLowerCase() === method && pattern.test(address),
      responses,
    }));
  },
);

const validators = new Map<object, ValidateFunction>();

const validatorOf = (schema: object): ValidateFunction => {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const made = ajv.compile(JSON.parse(text));
  validators.set(schema, made);
  return made;
};

/** @throws unless the document allows for the answer: its status, its headers and its body */
export const requireConformity = (method: string, path: string, answer: Answer): void => {
  const [address = ''] = path.split('?');
  const operation = operations.find(({ matches }) => matches(method, address));
  if (operation === undefined) return;
  const breach = breachOf(operation, answer);
  if (breach !== undefined)
    throw new Error(`${operation.target} ${answer.status}: ${breach}\n${answer.text}`);
};

const breachOf = ({ responses }: Operation, { status, headers, text, body }: Answer): string | undefined => {
  const described = responses[status];
  if (described === undefined) return 'no such status is described';
  const undeclared = [...headers.keys()].filter((name) => isOurs(name) && !isIn(described.headers, name));
  if (undeclared.length > 0) return `nothing is said of the headers ${undeclared.join(', ')}`;
  const schema = described.content?.['application/json']?.schema;
  if (schema === undefined) return text === '' ? undefined : 'no body is described';
  const validate = validatorOf(schema);
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
};

/** Headers that say something of one operation; the others are on every answer, or HTTP's own. */
const isOurs = (name: string): boolean =>
  /^(x-request-id|x-ratelimit-.*|retry-after|www-authenticate|idempotent-replayed|etag|location|allow)$/.test(
    name,
  );

const isIn = (headers: object, name: string): boolean =>
  Object.keys(headers).some((known) => known.toLowerCase() === name);
