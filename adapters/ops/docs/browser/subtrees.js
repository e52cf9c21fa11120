const valueAt = (document, path) => path.reduce((value, name) => value?.[name], document);

const copyAt = (document, part, path) => {
  const parent = path.slice(0, -1).reduce((value, name) => {
    value[name] ??= {};
    return value[name];
  }, part);
  parent[path.at(-1)] = valueAt(document, path);
};

/** The paths of all references within a value: `#/components/schemas/Order`. */
const referencesIn = (value) => {
  const references = [];
  JSON.stringify(value, (name, inner) => {
    if (name === '$ref' && typeof inner === 'string') references.push(inner);
    return inner;
  });
  return references.map((reference) =>
    reference
      .split('/')
      .slice(1)
      .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')),
  );
};

/** The OpenAPI document without the paths and components that one path neither has nor refers to. */
const partAround = (document, path) => {
  const part = { ...document, paths: {}, components: {} };
  // A path has parameters and servers that hold for all its methods.
  const waiting = [path[0] === 'paths' ? path.slice(0, 2) : path, ['components', 'securitySchemes']];
  const copied = new Set();
  for (const next of waiting) {
    if (copied.has(next.join('/'))) continue;
    copied.add(next.join('/'));
    copyAt(document, part, next);
    waiting.push(...referencesIn(valueAt(document, next)));
  }
  return part;
};

/**
 * Resolves the references of an operation within a part of the document. The result is the same, but Swagger UI walks the whole
 * document for each operation that opens.
 */
export const subtrees = () => ({
  afterLoad: ({ fn }) => {
    const { resolveSubtree } = fn;
    fn.resolveSubtree = (document, path, options) =>
      resolveSubtree(partAround(document, path), path, options);
  },
});
