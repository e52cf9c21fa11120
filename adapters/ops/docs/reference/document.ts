/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;

interface DescribedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-required-role'?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, DescribedResponse | Reference>>;
}

interface Reference {
  readonly $ref: string;
}

interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: MediaTypes;
}

type MediaTypes = Readonly<Record<string, MediaType>>;

interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Header {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** A JSON Schema of draft 2020-12. A `$ref` may have siblings, which win. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly 'x-required-role'?: string;
}

export interface Response {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly (Header & { readonly name: string })[];
  readonly schema: Schema | undefined;
  readonly example: unknown;
  /** The errors that it may carry, by code. */
  readonly errors: readonly ErrorCase[];
}

export interface ErrorCase {
  readonly status: string;
  readonly code: string;
  /** What to do. */
  readonly advice: string;
  readonly example: unknown;
}

/** An operation with all references to shared parameters, headers and responses resolved. Those to schemas are not. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly role: string | undefined;
  readonly scopes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly responses: readonly Response[];
}

interface Body {
  readonly mediaTypes: readonly string[];
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

/** Lists the operations of the paths, in their order. */
export const readOperations = (document: Document): readonly Operation[] =>
  readPaths(document, document.paths);

/** Lists the requests that Portico sends itself. */
export const readWebhooks = (document: Document): readonly Operation[] =>
  readPaths(document, document.webhooks ?? {});

const readPaths = (document: Document, paths: Paths): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(document, method, path, operation)),
  );

const readOperation = (
  document: Document,
  method: string,
  path: string,
  operation: DescribedOperation,
): Operation => {
  const { operationId: id, tags = [], summary = id, description = '', parameters = [] } = operation;
  return {
    ...{ id, method: method.toUpperCase(), path, tag: tags[0] ?? '', summary, description },
    role: operation['x-required-role'],
    scopes: (operation.security ?? []).flatMap((alternative) => Object.values(alternative).flat()),
    parameters: parameters.map((parameter) => resolve<Parameter>(document, parameter)),
    body: readBody(operation),
    responses: Object.entries(operation.responses).map(([status, response]) =>
      readResponse(document, status, resolve<DescribedResponse>(document, response)),
    ),
  };
};

const readBody = ({ requestBody }: DescribedOperation): Body | undefined => {
  const [first] = Object.values(requestBody?.content ?? {});
  if (requestBody === undefined || first === undefined) return undefined;
  const { required = false, content } = requestBody;
  const { schema, example } = first;
  return { mediaTypes: Object.keys(content), isRequired: required, schema, example };
};

const readResponse = (
  document: Document,
  status: string,
  { description, headers = {}, content = {} }: DescribedResponse,
): Response => {
  const [mediaType] = Object.values(content);
  const examples = Object.entries(mediaType?.examples ?? {}).map(
    ([code, example]) => [code, resolve<Example>(document, example)] as const,
  );
  return {
    ...{ status, description, schema: mediaType?.schema },
    headers: Object.entries(headers).map(([name, header]) => ({
      name,
      ...resolve<Header>(document, header),
    })),
    example: mediaType?.example ?? examples[0]?.[1].value,
    errors: examples.map(([code, { summary: advice = '', value: example }]) => ({
      ...{ status, code, advice, example },
    })),
  };
};

/** @throws when the document refers to what it does not have */
const resolve = <T extends object>(document: Document, described: T | Reference): T => {
  if (!('$ref' in described)) return described;
  const [, , kind = '', name = ''] = described.$ref.split('/');
  const found = document.components?.[kind]?.[name];
  if (found === undefined) throw new Error(`The OpenAPI document has no ${described.$ref}.`);
  return found as T;
};

/** The name of the shared schema that a schema refers to. */
export const schemaName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** A schema without a reference at its top: its own properties win over those of the schema that it refers to. */
export const resolveSchema = (document: Document, { $ref, ...own }: Schema): Schema =>
  $ref === undefined ? own : { ...resolveSchema(document, resolve<Schema>(document, { $ref })), ...own };
