/**
 * The OpenAPI document as Swagger UI should show it: a form that can be sent as it is. Swagger UI fills in every example,
 * but those of filters and conditions match nothing, and those of optional fields name what does not exist.
 *
 * So parameters start empty, and bodies with the required fields, or with the first one. Errors and headers are left to the
 * statuses and responses below the form: rendering them for each operation is most of the work of opening it.
 */
export const tryItOutDocument = (openapi) => {
  const edited = JSON.parse(JSON.stringify(openapi), (name, value) => {
    if (typeof value?.in === 'string' && typeof value.name === 'string') return withoutExamples(value);
    if (name === 'requestBody') return withMinimalBody(value, openapi);
    if (value?.operationId && value.responses) return withShortErrors(value, openapi);
    if (name === 'pattern' && onlyForbidsControlCharacters(value)) return undefined;
    return value;
  });
  return { ...edited, servers: onThisOrigin(openapi.servers), tags: inOrderOfPaths(edited) };
};

/** A page may only call its own origin, where the API is served too. */
const onThisOrigin = (servers) =>
  servers.some(({ url }) => new URL(url, location.href).origin === location.origin)
    ? servers
    : [{ url: '/' }];

const withoutExamples = ({ example: _1, examples: _2, schema = {}, ...parameter }) => {
  const { example: _3, examples: _4, default: _5, ...rest } = schema;
  return { ...parameter, schema: rest };
};

const withMinimalBody = (body, openapi) => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body.content).map(([type, { examples: _, ...media }]) => {
      const example = media.example ?? sampleOf(media.schema, openapi);
      return [type, { ...media, example: minimal(example, media.schema, openapi) }];
    }),
  ),
});

/** Of several forms of a value, the first. */
const resolve = (reference, openapi) => {
  const { anyOf: [first] = [], ...schema } = reference?.$ref
    ? openapi.components.schemas[reference.$ref.split('/').at(-1)]
    : (reference ?? {});
  return first === undefined ? schema : { ...resolve(first, openapi), ...schema };
};

/** The required fields of an example; the first field where none is required. */
const minimal = (example, schema, openapi) => {
  const { required = [], properties = {} } = resolve(schema, openapi);
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, example[name] ?? sampleOf(properties[name], openapi)]),
  );
};

/** A value that fits a schema. */
const sampleOf = (reference, openapi) => {
  const schema = resolve(reference, openapi);
  const { type, properties, required = Object.keys(properties ?? {}) } = schema;
  const example =
    schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (example !== undefined) return example;
  if (properties)
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name], openapi)]));
  const samples = { integer: 1, number: 1, boolean: true, array: [], null: null };
  return samples[[type].flat()[0]] ?? '';
};

/** A pattern that only forbids invisible characters tells a reader nothing. */
const onlyForbidsControlCharacters = (pattern) =>
  typeof pattern === 'string' && /^\^\[\^\\[ux]00/.test(pattern);

const withShortErrors = (operation, openapi) => ({
  ...operation,
  // Cuts off the list of errors that ends each description.
  description: operation.description.split(/\n\n[^\n]*:\n\n- \d{3} /)[0],
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      shortResponse(status, response, openapi),
    ]),
  ),
});

const shortResponse = (status, response, { components }) => {
  const resolved = response.$ref ? components.responses[response.$ref.split('/').at(-1)] : response;
  const { headers: _, content, ...rest } = resolved;
  return { ...rest, ...(content && status < '400' && { content }) };
};

const inOrderOfPaths = ({ tags = [], paths }) => {
  const met = Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags: [tag] }) => tag));
  return tags.toSorted((one, other) => met.indexOf(one.name) - met.indexOf(other.name));
};
