import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Json } from '../../support/client.ts';
import { expectProblem } from '../../support/protocol.ts';
import { bodySchemaOf, hasBody, queryNamesOf, resourceSchemaOf } from '../table.ts';
import { everyRoute, expectFields, type Rule, withQuery } from './rule.ts';

/** No list has the first ones, and only some routes have the others, with such values. */
const unknownParameters = ['no_such_parameter', 'page', 'Limit', 'limit[]', '__proto__', 'constructor', ''];
const usualParameters = {
  limit: '1',
  cursor: 'x',
  sort: '-id',
  expand: 'items',
  start: 'latest',
  status: 'active',
};

/** The smallest body that is too large, in bytes. */
const tooLarge = 100 * 1024 + 1;

const mergePatch = 'application/merge-patch+json';

/** Each value is of another type than the schema has. */
const ofAnotherType = ({ type, anyOf = [], enum: values }: Json): unknown => {
  const types = [type, ...anyOf.map((one: Json) => one.type)].flat();
  if (values !== undefined && type === undefined) return {};
  return types.includes('object') ? 7 : {};
};

/** How parameters and bodies are rejected, whatever they ask for. */
export const requestRules: readonly Rule[] = [
  {
    title: 'responds 422 to unknown parameters, and names each',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      const known = queryNamesOf(operation);
      const unknown = Object.entries({
        ...Object.fromEntries(unknownParameters.map((name) => [name, '1'])),
        ...usualParameters,
      }).filter(([name]) => !known.includes(name));
      const names = unknown.map(([name]) => name);
      const query = new URLSearchParams(unknown).toString();
      expectFields(await shop.admin({ ...request, address: withQuery(request.address, query) }), ...names);
    },
  },
  {
    title: 'responds 422 to a parameter that is given twice, and names it',
    isFor: (operation) => queryNamesOf(operation).length > 0,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      for (const name of queryNamesOf(operation)) {
        const address = `${request.address.split('?')[0]}?${name}=1&${name}=1`;
        expectFields(await shop.admin({ ...request, address }), name);
      }
    },
  },
  {
    title: 'responds 422 without a required parameter, and names it',
    isFor: ({ parameters }) => parameters.some((one) => one.in === 'query' && one.required),
    check: async (shop, operation) => {
      const { address, ...request } = shop.samples.form(operation);
      const given = new URLSearchParams(address.split('?')[1]);
      for (const name of [...given.keys()]) {
        const others = new URLSearchParams([...given].filter(([other]) => other !== name));
        expectFields(await shop.admin({ ...request, address: `${address.split('?')[0]}?${others}` }), name);
      }
    },
  },
  {
    title: 'responds 400 to a query with broken percent-encoding',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      for (const query of ['a=%', '%zz=1', 'a=%ff']) {
        const address = withQuery(request.address, query);
        expectProblem(await shop.admin({ ...request, address }), '400 BAD_REQUEST');
      }
    },
  },
  {
    title: 'responds 422 to fields that are unknown or only read, and names each',
    isFor: hasBody,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      const { schema } = operation.requestBody.content['application/json'];
      const written = [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {} }) =>
        Object.keys(properties),
      );
      const read = Object.keys(resourceSchemaOf(operation)?.properties ?? {});
      const unwritable = [
        ...new Set([...read, 'id', 'version', 'created_at', 'updated_at', 'no_such_field']),
      ].filter((name) => !written.includes(name));
      const extra = Object.fromEntries(unwritable.map((name) => [name, '1']));
      expectFields(
        await shop.admin({ ...request, body: { ...(request.body as object), ...extra } }),
        ...unwritable,
      );
    },
  },
  {
    title: 'responds 422 without a required field, and names it',
    isFor: (operation) => hasBody(operation) && (bodySchemaOf(operation).required ?? []).length > 0,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      for (const name of bodySchemaOf(operation).required) {
        const { [name]: _, ...rest } = request.body as Json;
        expectFields(await shop.admin({ ...request, body: rest }), name);
      }
    },
  },
  {
    title: 'responds 422 to a value of another type in each field, and names the field',
    isFor: hasBody,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      for (const [name, schema] of Object.entries<Json>(bodySchemaOf(operation).properties)) {
        const body = { ...(request.body as object), [name]: ofAnotherType(schema) };
        const response = await shop.admin({ ...request, body });
        expectProblem(response, '422 VALIDATION_ERROR');
        for (const { field } of response.body.error.details)
          expect(field.split('.')[0], response.text).to.equal(name);
      }
    },
  },
  {
    title: 'responds 400 to a body that is no JSON, and 422 to JSON that is no object',
    isFor: hasBody,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      for (const body of ['', '{', '{} {}', '{"a":1,"a":1}'])
        expectProblem(await shop.admin({ ...request, body }), '400 BAD_REQUEST');
      for (const body of ['null', '[]', '[{}]', '1', '"a"'])
        expectProblem(await shop.admin({ ...request, body }), '422 VALIDATION_ERROR');
    },
  },
  {
    title: 'responds 415 to a body of another media type, and takes a merge patch as PATCH alone',
    isFor: hasBody,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      const as = (type: string) =>
        shop.admin({ ...request, headers: { ...request.headers, 'Content-Type': type } });
      const isPatch = operation.method === 'PATCH';
      const others = [
        '',
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
      ];
      for (const type of isPatch ? others : [...others, mergePatch])
        expectProblem(await as(type), '415 UNSUPPORTED_MEDIA_TYPE');
      for (const type of ['application/json; charset=UTF-8', ...(isPatch ? [mergePatch] : [])])
        expect((await as(type)).status, type).not.to.equal(415);
    },
  },
  {
    title: 'responds 415 to a compressed body',
    isFor: hasBody,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      const body = new Uint8Array(gzipSync(JSON.stringify(request.body)));
      const headers = { ...request.headers, 'Content-Encoding': 'gzip' };
      expectProblem(await shop.admin({ ...request, body, headers }), '415 UNSUPPORTED_MEDIA_TYPE');
    },
  },
  {
    title: 'responds 413 to a body of more than 100 KiB, and reads one of as much',
    isFor: hasBody,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      const text = JSON.stringify({ ...(request.body as object), no_such_field: 1 });
      const ofLength = (length: number) => shop.admin({ ...request, body: text.padEnd(length) });
      expectFields(await ofLength(tooLarge - 1), 'no_such_field');
      expectProblem(await ofLength(tooLarge), '413 PAYLOAD_TOO_LARGE');
    },
  },
];
