/**
 * The description as a form that can be sent at once. Swagger UI fills fields in with whatever examples it finds: those of
 * filters and conditions would find nothing, and those of optional fields would name what does not exist. So
 * parameters begin empty, and bodies with what is needed, or, where nothing is, with one field. What an operation can
 * be refused with is said once, with the statuses below the form. All refusals look the same, and which headers there are
 * an answer shows by itself: drawing them for each operation is most of the work of opening it.
 */
export const forTrying = (description) => {
  const form = JSON.parse(JSON.stringify(description), (name, value) => {
    if (typeof value?.in === 'string' && typeof value.name === 'string') return withoutExamples(value);
    if (name === 'requestBody') return withLeastBody(value, description);
    if (value?.operationId && value.responses) return withRefusalsBelow(value, description);
    if (name === 'pattern' && isOfControlCharacters(value)) return undefined;
    return value;
  });
  return { ...form, tags: inOrderOfPaths(form) };
};

const withoutExamples = ({ example: _1, examples: _2, schema = {}, ...parameter }) => {
  const { example: _3, examples: _4, default: _5, ...rest } = schema;
  return { ...parameter, schema: rest };
};

const withLeastBody = (body, description) => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body.content).map(([type, { examples: _, ...media }]) => [
      type,
      {
        ...media,
        example: least(media.example ?? sample(media.schema, description), media.schema, description),
      },
    ]),
  ),
});

const resolve = (schema, description) =>
  schema?.$ref ? description.components.schemas[schema.$ref.split('/').at(-1)] : (schema ?? {});

const least = (value, schema, description) => {
  const { required = [], properties = {} } = resolve(schema, description);
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, value[name] ?? sample(properties[name], description)]),
  );
};

const sample = (reference, description) => {
  const schema = resolve(reference, description);
  const { type, properties, required = Object.keys(properties ?? {}) } = schema;
  const given = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (properties)
    return Object.fromEntries(required.map((name) => [name, sample(properties[name], description)]));
  const samples = { integer: 1, number: 1, boolean: true, array: [], null: null };
  return samples[[type].flat()[0]] ?? '';
};

/** A pattern that only keeps invisible characters out tells a reader nothing. */
const isOfControlCharacters = (pattern) => typeof pattern === 'string' && /^\^\[\^\\[ux]00/.test(pattern);

const withRefusalsBelow = (operation, description) => ({
  ...operation,
  description: operation.description.split(/\n\n[^\n]*:\n\n- \d{3} /)[0],
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, answer]) => [
      status,
      inShort(status, answer, description),
    ]),
  ),
});

const inShort = (status, answer, { components }) => {
  const {
    headers: _,
    content,
    ...rest
  } = answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer;
  return { ...rest, ...(content && status < '400' && { content }) };
};

const inOrderOfPaths = ({ tags = [], paths }) => {
  const met = Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags: [tag] }) => tag));
  return tags.toSorted((one, other) => met.indexOf(one.name) - met.indexOf(other.name));
};
