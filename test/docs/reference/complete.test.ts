import { expect } from 'chai';
import type { Json } from '../../http/support/client.ts';
import { document, renderReference, textOf } from './rendered.ts';

const api: Json = document;

const at = ($ref: string): Json =>
  $ref
    .slice(2)
    .split('/')
    .reduce((node, name) => node[name], api);

const resolved = (node: Json): Json => (node?.$ref ? { ...at(node.$ref), ...node, $ref: undefined } : node);

const nameOf = ($ref = ''): string =>
  $ref
    .split('/')
    .at(-1)
    ?.replace(/^Expandable/, '') ?? '';

const operations: readonly (readonly [path: string, method: string, operation: Json])[] = Object.entries(
  api.paths as Json,
).flatMap(([path, methods]) =>
  Object.entries(methods as Json).map(([method, operation]) => [path, method, operation] as const),
);

describe('The reference, rendered from the OpenAPI document,', () => {
  let pages: ReadonlyMap<string, string>;
  const anchors = new Set<string>();
  let text = '';

  before(async () => {
    pages = await renderReference(document);
    for (const page of pages.values()) {
      for (const [, id = ''] of page.matchAll(/ id="([^"]+)"/g)) anchors.add(id);
      text += textOf(page);
    }
  });

  /**
   * Lists the fields of a schema that stand nowhere.
   * @param places the anchors that its fields may follow
   */
  const missing = (described: Json, places: readonly string[], above: readonly string[] = []): string[] => {
    const name = nameOf(described?.$ref);
    if (above.includes(name)) return [];
    const within = name === '' ? above : [...above, name];
    const schema = resolved(described) ?? {};
    const here = name === '' ? places : [...places, `object-${name}`];
    const alternatives: Json[] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    const form = (each: Json): string =>
      (nameOf(each.$ref) || Object.keys(each.properties ?? {}).join('-and-'))
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
        .toLowerCase()
        .replace(/^api\b/, 'API');
    return [
      ...Object.entries<Json>(schema.properties ?? {}).flatMap(([field, property]) => {
        const found = here.map((place) => `${place}.${field}`).filter((place) => anchors.has(place));
        return found.length === 0 ? [`${here.join('|')}.${field}`] : missing(property, found, within);
      }),
      ...(schema.items ? missing(schema.items, here, within) : []),
      ...alternatives.flatMap((each) =>
        missing(each, [...here, ...here.map((place) => `${place}.${form(each)}`)], within),
      ),
    ];
  };

  it('has every operation on the page of its tag, with its method and path', () => {
    expect(operations).to.have.length.greaterThan(60);
    for (const [path, method, { operationId, tags, summary }] of operations) {
      const page = pages.get(`/docs/reference/${tags[0]}`) ?? '';
      const section = `id="${operationId}" data-method="${method.toUpperCase()}" data-path="${path}"`;
      expect(page, operationId).to.include(section).and.include(`${summary}</a></h2>`);
    }
  });

  it('has every parameter, and every field of bodies and responses', () => {
    const problems = operations.flatMap(([, , operation]) => {
      const { operationId: id, parameters = [], requestBody, responses } = operation;
      const bodies: Json[] = Object.values(requestBody?.content ?? {});
      const succeeded = Object.entries<Json>(responses).filter(([status]) => Number(status) < 400);
      return [
        ...parameters
          .map(resolved)
          .filter((each: Json) => !anchors.has(`${id}.${each.in}.${each.name}`))
          .filter((each: Json) => !anchors.has(`request.${each.name}`))
          .map((each: Json) => `${id} ${each.name}`),
        ...bodies.flatMap(({ schema }) => missing(schema, [`${id}.body`])),
        ...succeeded.flatMap(([status, { content = {}, headers = {} }]) => [
          ...Object.values<Json>(content).flatMap(({ schema }) => missing(schema, [`${id}.${status}`])),
          ...Object.keys(headers)
            .filter((name) => !anchors.has(`${id}.${status}.headers.${name}`))
            .filter((name) => !anchors.has(`response.${name}`))
            .map((name) => `${id} ${status} ${name}`),
        ]),
      ];
    });
    expect(problems).to.deep.equal([]);
  });

  it('has each anchor once on a page', () => {
    for (const [path, page] of pages) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        path,
      ).to.deep.equal([]);
    }
  });

  it('has the body of webhooks with all its fields', () => {
    const [{ post }] = Object.values<Json>(api.webhooks) as [Json];
    const [body] = Object.values<Json>(post.requestBody.content) as [Json];
    expect(missing(body.schema, [`${post.operationId}.body`])).to.deep.equal([]);
    for (const { name } of post.parameters) expect(anchors).to.include(`${post.operationId}.header.${name}`);
  });

  it('has every error of an operation in its section, and says what to do about it', () => {
    for (const [, , { operationId, tags, responses }] of operations) {
      const page = pages.get(`/docs/reference/${tags[0]}`) ?? '';
      const section = page.slice(page.indexOf(`id="${operationId}"`)).split('</section>')[0] ?? '';
      for (const response of Object.values<Json>(responses).map(resolved)) {
        const examples = Object.values<Json>(response.content ?? {}).flatMap((each) =>
          Object.entries<Json>(each.examples ?? {}),
        );
        for (const [code, example] of examples) {
          expect(section, operationId).to.include(`${code}</code>`);
          expect(text).to.include(plain(resolved(example).summary));
        }
      }
    }
  });

  it('has every description and every value of the document', () => {
    const texts = new Set<string>();
    const collect = (node: Json, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [name, inner] of Object.entries<Json>(node)) {
        if (name === 'description' && typeof inner === 'string') texts.add(plain(inner));
        else if (name === 'enum' && Array.isArray(inner)) for (const value of inner) texts.add(`${value}`);
        else if (!/^(examples?|responses|propertyNames)$/.test(name)) collect(inner, `${path}/${name}`);
      }
    };
    collect([api.paths, api.webhooks, api.components.schemas, api.components.parameters, api.tags], '');
    for (const header of Object.keys(api.components.headers)) texts.add(header);
    expect(texts.size).to.be.greaterThan(400);
    expect([...texts].filter((each) => !text.includes(each))).to.deep.equal([]);
  });
});

/** A text as it is read: without marks of Markdown, and without the list of errors, which has another form. */
const plain = (markdown: string): string =>
  (markdown.split('Errors of its own:')[0] ?? '')
    .replaceAll('`', '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
