import { expect } from 'chai';
import { openForm } from '#adapters/http/openapi/open-form.ts';
import type { Schema } from '#adapters/wire/codec.ts';
import type { Json } from '../support/client.ts';
import {
  closed,
  operations,
  operationsOf,
  published,
  served,
  withoutReferences,
} from '../support/described.ts';
import { schemaError } from '../support/schema-error.ts';

/** Each schema of a part of a document, and those inside of them. */
const schemasIn = (node: Json, isSchema = false): readonly Schema[] => {
  if (typeof node !== 'object' || node === null) return [];
  const own = isSchema && !Array.isArray(node) ? [node] : [];
  return own.concat(
    ...Object.entries<Json>(node)
      .filter(([key]) => !/^(examples?|enum|const)$/.test(key))
      .map(([key, inner]) => {
        if (key === 'properties') return Object.values<Json>(inner).flatMap((one) => schemasIn(one, true));
        return schemasIn(inner, isSchema || key === 'schema');
      }),
  );
};

/** A body as a later release may send it: with fields more in each object, other texts for known values, and longer lists. */
const ofLaterRelease = (schema: Schema, body: Json): Json => {
  if (Array.isArray(body)) {
    const items = body.map((item) => ofLaterRelease(schema.items ?? {}, item));
    if (schema.maxItems === undefined || schema.maxItems > 1_000) return items;
    return Array.from({ length: schema.maxItems + 1 }, (_, index) =>
      typeof items[0] === 'string' ? `${items[0]} ${index}` : (items[0] ?? `${index}`),
    );
  }
  if (schema.anyOf) {
    const right = schema.anyOf.find((one) => schemaError(one, body) === undefined) ?? {};
    return ofLaterRelease(right, body);
  }
  if (typeof body === 'object' && body !== null) {
    const fields = Object.entries<Json>(body).map(([name, value]) => [
      name,
      ofLaterRelease(schema.properties?.[name] ?? {}, value),
    ]);
    const more = schema.additionalProperties ? 'text' : { text: 'new' };
    return { ...Object.fromEntries(fields), of_a_later_release: more };
  }
  if (schema.enum !== undefined) return 'of_a_later_release';
  if (typeof body === 'number') return schema.maximum === undefined ? body : schema.maximum + 1;
  return typeof body === 'string' && schema.format === undefined && schema.maxLength !== undefined
    ? body.padEnd(schema.maxLength + 1, '!')
    : body;
};

/** The bodies that Portico sends, with their schemas: closed, and as published. */
const sentBodies = (): readonly (readonly [where: string, closed: Schema, open: Schema, example: Json])[] => {
  const open = operationsOf(published);
  const answers = operations.flatMap(({ target, responses }, index) =>
    Object.entries<Json>(responses).flatMap(([status, { content }]) => {
      if (content === undefined) return [];
      const { schema, example, examples = {} } = content['application/json'];
      const opened = open[index]?.responses[status]?.content['application/json'].schema;
      const [first]: Json[] = Object.values(examples);
      return [[`${target} ${status}`, schema, opened, example ?? first.value] as const];
    }),
  );
  const eventIn = (whole: Json): Json => whole.webhooks.event.post.requestBody.content['application/json'];
  const { schema, example } = eventIn(withoutReferences(closed));
  // Many operations share the response of an error.
  const distinct = new Map(answers.map((answer) => [answer[1], answer]));
  return [...distinct.values(), ['webhook', schema, eventIn(published).schema, example]];
};

describe('The published OpenAPI document', () => {
  const taken = operationsOf(published).map(({ parameters, requestBody }) => ({ parameters, requestBody }));

  it('lets every response and webhook have fields, values and lengths of a later release', () => {
    const bodies = sentBodies();
    expect(bodies).to.have.length.greaterThan(90);
    for (const [where, exact, open, example] of bodies) {
      const later = ofLaterRelease(exact, example);
      expect(schemaError(exact, example), where).to.equal(undefined);
      expect(schemaError(open, example), where).to.equal(undefined);
      expect(schemaError(exact, later), where).to.be.a('string');
      expect(schemaError(open, later), where).to.equal(undefined);
    }
  });

  it('still says which fields responses have, and of which types', () => {
    for (const [where, , open, example] of sentBodies()) {
      expect(schemaError(open, {}), where).to.be.a('string');
      for (const name of Object.keys(example))
        expect(schemaError(open, { ...example, [name]: true }), `${where} ${name}`).to.be.a('string');
    }
  });

  it('has no closed object, list of values or limit in what Portico sends', () => {
    const responses = operationsOf(published).map((one) => one.responses);
    const schemas = schemasIn([responses, published.webhooks]);
    expect(schemas).to.have.length.greaterThan(1000);
    for (const schema of new Set(schemas)) {
      const text = JSON.stringify(schema).slice(0, 200);
      expect(schema.additionalProperties, text).not.to.equal(false);
      expect(schema, text).not.to.have.any.keys(
        ...['const', 'maxLength', 'maxItems', 'maxProperties', 'maximum', 'pattern', 'propertyNames', 'not'],
      );
      expect(schema.format, text).not.to.equal('int32');
      const { anyOf = [] } = schema;
      if (anyOf.some((one) => one.enum)) expect(anyOf, text).to.deep.include({ type: 'string' });
      if (anyOf.filter((one) => one.type === 'object').length > 1)
        expect(anyOf.at(-1), text).to.deep.equal({ type: 'object', additionalProperties: {} });
    }
    const alone = schemas
      .filter(({ anyOf = [] }) => anyOf.every((one) => one.enum))
      .filter((one) => one.enum);
    const listed = new Set(schemas.flatMap(({ anyOf = [] }) => anyOf));
    expect(alone.filter((one) => !listed.has(one))).to.deep.equal([]);
  });

  it('lists the values that this release knows', () => {
    const event = published.webhooks.event.post.requestBody.content['application/json'].schema;
    const [known, other] = event.properties.type.anyOf;
    expect(known.enum).to.include('order.paid');
    expect(other).to.deep.equal({ type: 'string' });
    const { code } =
      published.components.responses.Unauthorized.content['application/json'].schema.properties.error
        .properties;
    expect(code.anyOf).to.deep.equal([{ type: 'string', enum: ['UNAUTHORIZED'] }, { type: 'string' }]);
  });

  it('lists the values of items in the description of their list, which mocks of orval 7 for tests need', () => {
    const { ApiKey, WebhookEndpoint } = published.components.schemas;
    for (const [{ description, items }, known] of [
      [ApiKey.properties.scopes, '`orders:read`'],
      [WebhookEndpoint.properties.event_types, '`order.paid`'],
    ] as const) {
      expect(items).to.deep.include({ type: 'string' });
      expect(items).not.to.have.any.keys('anyOf', 'enum', 'description');
      expect(description)
        .to.match(/Known values: .+\.$/)
        .and.contain(known);
    }
  });

  it('has no list whose items are alternatives with known values', () => {
    const responses = operationsOf(published).map((one) => one.responses);
    const lists = schemasIn([responses, published.webhooks]).filter((one) => one.items !== undefined);
    expect(lists).to.have.length.greaterThan(30);
    expect(lists.filter(({ items }) => items?.anyOf?.some((one) => one.enum))).to.deep.equal([]);
  });

  it('keeps requests and parameters closed', () => {
    const before = operations.map(({ parameters, requestBody }) => ({ parameters, requestBody }));
    expect(taken).to.deep.equal(before);
    expect(JSON.stringify(taken)).to.contain('"additionalProperties":false');
  });

  it('has what is sent and received twice', () => {
    const { Money, MoneyInput, Currency, CurrencyInput } = served.components.schemas;
    expect(Money).not.to.have.property('additionalProperties');
    expect(MoneyInput).to.deep.include({ additionalProperties: false });
    expect(MoneyInput.properties.currency.$ref).to.equal('#/components/schemas/CurrencyInput');
    expect(Money.properties.currency.$ref).to.equal('#/components/schemas/Currency');
    expect(CurrencyInput.enum).to.deep.equal(Currency.anyOf[0].enum);
  });

  it('is made of the closed one, whatever is declared there', () => {
    const money = {
      type: 'object',
      properties: { unit: { type: 'string', enum: ['g'] } },
      required: ['unit'],
    };
    const $ref = '#/components/schemas/Weight';
    const document = {
      paths: {
        '/weights': { post: { requestBody: { schema: { $ref } }, responses: { 201: { schema: { $ref } } } } },
      },
      webhooks: {},
      components: {
        schemas: { Weight: { ...money, additionalProperties: false } as Schema },
        ...{ parameters: {}, responses: {}, headers: {} },
      },
    };
    expect(openForm(document)).to.deep.include({
      paths: {
        '/weights': {
          post: {
            requestBody: { schema: { $ref: `${$ref}Input` } },
            responses: { 201: { schema: { $ref } } },
          },
        },
      },
    });
  });
});
