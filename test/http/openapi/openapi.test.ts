import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { statusAndCode } from '#adapters/http/errors.ts';
import { errorCatalogue } from '#adapters/http/openapi/error-catalogue.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { Client, type Json } from '../support/client.ts';
import { closed, document, operationAt, operations, served } from '../support/described.ts';
import { schemaError } from '../support/schema-error.ts';

/** Statuses that docs/api.md lists below its table. */
const rare: readonly number[] = [408, 417, 431];

describe('The OpenAPI document', () => {
  it('is served to operators without a credential', async () => {
    const settings = {
      DATABASE_URL: 'memory:',
      PORT: '0',
      OPS_PORT: `${await freePort()}`,
      LOG_LEVEL: 'silent',
    };
    const app = await startApp(readConfig(settings));
    try {
      for (const path of ['/openapi.json', '/openapi.json?from=a-generator']) {
        const response = await new Client(() => app.opsUrl ?? '', undefined).get(path);
        expect(response.status).to.equal(200);
        expect(response.headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
        expect(response.headers.get('Content-Encoding')).to.equal('gzip');
        expect(response.body).to.deep.equal({ ...served, servers: [{ ...served.servers[0], url: app.url }] });
      }
    } finally {
      await app.close();
    }
  });

  it('states the requirements and errors of every operation, and shared errors once', () => {
    const shared = document.info.description;
    for (const { target, description, responses } of operations) {
      expect(description, target).to.match(/Needs an API key with the scope `[a-z-]+:(read|write)`/);
      const errors = Object.entries<Json>(responses).filter(([status]) => Number(status) >= 400);
      for (const [, { content }] of errors) {
        const codes: readonly string[] =
          content['application/json'].schema.properties.error.properties.code.enum;
        for (const code of codes) {
          const places = [description, shared].filter((text) => text.includes(`\`${code}\`: `));
          expect(places, `${target} ${code}`).to.have.lengthOf(1);
        }
      }
    }
  });

  it('has one tag for each operation, with a description', () => {
    const described = new Set(document.tags.map(({ name }: Json) => name));
    for (const { target, tags } of operations) {
      expect(tags, target).to.have.lengthOf(1);
      expect(described, target).to.include(tags[0]);
    }
    const { tags } = operationAt('GET /v1/users/{user_id}/orders');
    expect(tags).to.deep.equal(['orders']);
  });

  it('has the statuses and codes of a payment as in the contract', () => {
    const { responses, parameters } = operationAt('POST /v1/payments');
    const codesOf = (status: number): readonly string[] =>
      responses[status].content['application/json'].schema.properties.error.properties.code.enum;
    expect(Object.keys(responses)).to.have.members([
      '201',
      '400',
      '401',
      '403',
      '404',
      '408',
      '409',
      '413',
      '415',
      '417',
      '422',
      '429',
      '431',
      '500',
      '502',
      '503',
      '504',
    ]);
    expect(codesOf(400)).to.have.members([
      'BAD_REQUEST',
      'IDEMPOTENCY_KEY_MISSING',
      'IDEMPOTENCY_KEY_INVALID',
    ]);
    expect(codesOf(409)).to.have.members(['INVALID_STATE', 'IDEMPOTENCY_KEY_IN_PROGRESS']);
    expect(codesOf(422)).to.have.members(['VALIDATION_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'PAYMENT_DECLINED']);
    expect(parameters.find(({ name }) => name === 'Idempotency-Key')).to.include({ required: true });
  });

  it('has the limits of a field that the service enforces', () => {
    const { anyOf } = operationAt('POST /v1/orders').requestBody.content['application/json'].schema;
    const [{ properties, required }, ofItems] = anyOf;
    expect(required).to.deep.equal(['product_id', 'quantity']);
    expect(properties.product_id).to.include({ type: 'string', format: 'uuid' });
    expect(properties.quantity).to.include({ type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 });
    expect(ofItems.properties.items).to.include({ minItems: 1, maxItems: 100 });
    const product = operationAt('POST /v1/products').requestBody.content['application/json'].schema;
    expect(product.properties.name).to.include({ minLength: 1, maxLength: 200 });
    expect(product.properties.description.type).to.deep.equal(['string', 'null']);
    expect(product.additionalProperties).to.equal(false);
  });

  it('states the role and scope of each operation, and advice for each error', () => {
    const paying = operationAt('POST /v1/payments');
    expect(paying.security).to.deep.equal([{ apiKey: ['payments:write'] }]);
    expect(paying).to.include({ 'x-required-role': 'customer' });
    expect(paying.description).to.contain('scope `payments:write`, of a user of any role');
    expect(paying.description).to.contain('- 422 `PAYMENT_DECLINED`: Ask for another payment method');
    const adding = operationAt('POST /v1/products');
    expect(adding.security).to.deep.equal([{ apiKey: ['products:write'] }]);
    expect(adding).to.include({ 'x-required-role': 'staff' });
    expect(adding.description).to.contain('scope `products:write`, of a user whose role is staff or more');
    expect(operationAt('DELETE /v1/users/{user_id}')).to.include({ 'x-required-role': 'admin' });
  });

  it('returns every field that a request can set', () => {
    const fieldsOf = ({ properties = {}, anyOf = [] }: Json): readonly string[] =>
      Object.keys(properties).concat(anyOf.flatMap(fieldsOf));
    const unreturned = operations.flatMap(({ target, requestBody, responses }) => {
      if (requestBody === undefined) return [];
      const { schema } = (responses[200] ?? responses[201]).content['application/json'];
      const returned = fieldsOf(schema.properties.data);
      const fields = fieldsOf(requestBody.content['application/json'].schema);
      return [...new Set(fields)]
        .filter((field) => !returned.includes(field))
        .map((field) => `${target} ${field}`);
    });
    expect(unreturned).to.have.members([
      'POST /v1/orders product_id',
      'POST /v1/orders quantity',
      'POST /v1/orders items',
      'POST /v1/payments payment_method',
      'POST /v1/payments reference',
      'POST /v1/payments payer_present',
      'POST /v1/payments return_url',
      'POST /v1/refunds expected_refunded',
      'POST /v1/webhook-endpoints/{endpoint_id}/secrets previous_expires_in',
    ]);
  });

  it('describes every field, parameter and header', () => {
    const parts = [
      ...Object.values<Json>(document.components.schemas).flatMap(({ properties = {} }) =>
        Object.entries<Json>(properties),
      ),
      ...operations.flatMap(({ requestBody }) =>
        Object.entries<Json>(requestBody?.content['application/json'].schema.properties ?? {}),
      ),
      ...operations.flatMap(({ parameters }) => parameters.map((one): [string, Json] => [one.name, one])),
      ...Object.entries<Json>(document.components.headers),
    ];
    expect(parts).to.have.length.greaterThan(250);
    for (const [name, { description }] of parts)
      expect(description, name).to.be.a('string').and.not.equal('');
  });

  it('says what each filter finds', () => {
    const about = (target: string, filter: string): string =>
      operationAt(target).parameters.find(({ name }: Json) => name === filter).description;
    expect(about('GET /v1/reviews', 'product_id')).to.equal('Only reviews of this product.');
    expect(about('GET /v1/orders', 'number')).to.match(
      /^Only orders with this number\. .*upper or lower case/,
    );
    expect(about('GET /v1/events', 'type')).to.match(/^Only events of this type, or of all types/);
    expect(about('GET /v1/api-keys', 'user_id')).to.equal('Only API keys of this user.');
    expect(about('GET /v1/products', 'q')).to.match(/^Words/);
    const texts = operations.flatMap(({ target, parameters }) =>
      parameters.map(({ name, in: place, description }) => [place, `${target} ${name} ${description}`]),
    );
    const generic = texts.filter(([place, text]) => place === 'query' && /with this value/.test(text ?? ''));
    expect(generic).to.deep.equal([]);
  });

  it('has a valid example of every body, response and error', () => {
    let examples = 0;
    const requireValid = (schema: Json, example: unknown, where: string): void => {
      examples += 1;
      expect(schemaError(schema, example), `${where}: ${JSON.stringify(example)}`).to.equal(undefined);
    };
    for (const { target, requestBody, responses } of operations) {
      for (const { schema, example } of Object.values<Json>(requestBody?.content ?? {}))
        requireValid(schema, example, target);
      for (const [status, { content }] of Object.entries<Json>(responses)) {
        if (content === undefined) continue;
        const { schema, example, examples: byCode } = content['application/json'];
        if (Number(status) < 400) requireValid(schema, example, `${target} ${status}`);
        else {
          const codes: readonly string[] = schema.properties.error.properties.code.enum;
          expect(Object.keys(byCode)).to.have.members(codes);
          for (const [code, { value }] of Object.entries<Json>(byCode)) {
            expect(value.error.code).to.equal(code);
            requireValid(schema, value, `${target} ${status}`);
          }
        }
      }
    }
    expect(examples).to.be.greaterThan(500);
  });

  it('has a valid example of every field, parameter and header that is no enumeration', () => {
    let examples = 0;
    const look = (node: Json): void => {
      if (typeof node !== 'object' || node === null) return;
      if (Array.isArray(node.examples)) {
        for (const example of node.examples) {
          examples += 1;
          expect(schemaError(node, example), JSON.stringify(node)).to.equal(undefined);
        }
      }
      for (const inner of Object.values(node)) look(inner);
    };
    look(document);
    expect(examples).to.be.greaterThan(300);
    const described = [
      ...operations.flatMap(({ parameters }) => parameters),
      ...Object.values<Json>(document.components.headers),
    ];
    for (const { schema, name } of described)
      expect(schema.examples ?? schema.enum ?? schema.const, name).not.to.equal(undefined);
  });

  it('uses the same ids in related examples', () => {
    const exampleAt = (target: string, status: number): Json =>
      operationAt(target).responses[status].content['application/json'].example;
    const order = exampleAt('POST /v1/orders', 201).data;
    const payment = exampleAt('POST /v1/payments', 201).data;
    const endpoint = exampleAt('POST /v1/webhook-endpoints', 201).data;
    expect(exampleAt('POST /v1/webhook-deliveries', 201).data.endpoint_id).to.equal(endpoint.id);
    expect(payment).to.include({ order_id: order.id, user_id: order.user_id });
    expect(payment.amount).to.deep.equal(order.total);
    expect(exampleAt('GET /v1/orders/{order_id}/items', 200).links.next).to.match(
      new RegExp(`^/v1/orders/${order.id}/items\\?limit=20&cursor=`),
    );
    for (const { target, path, responses } of operations) {
      if (responses['201'] === undefined) continue;
      const { id } = exampleAt(target, 201).data;
      const address = path.replace('{order_id}', order.id).replace('{endpoint_id}', endpoint.id);
      expect(responses['201'].headers.Location.schema.examples, target).to.deep.equal([`${address}/${id}`]);
    }
  });

  it('has the same advice for each code as docs/api.md', async () => {
    const page = await readFile('docs/api.md', 'utf8');
    const [, errors = ''] = page.split('\n## Errors\n');
    const rows = [...errors.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)].map(([, ...cells]) => cells);
    const described = Object.values(statusAndCode)
      .filter(({ status }) => !rare.includes(status))
      .map(({ status, code }) => [`${status}`, code, errorCatalogue[code].advice.replace(/\.$/, '')]);
    expect(rows).to.have.deep.members([...new Map(described.map((row) => [row.join(), row])).values()]);
  });

  it('omits multipleOf from quantities in responses', () => {
    const dividing = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    dividing.addSchema({ $id: 'document', ...closed });
    for (const [name, field] of Object.entries({ Product: 'stock', OrderItem: 'quantity' })) {
      const validate = dividing.getSchema(`document#/components/schemas/${name}`);
      const { [field]: described } = closed.components.schemas[name].properties;
      expect(described.maximum, field).to.be.a('number');
      for (const quantity of [0.001, 1.005, 999_999.999]) {
        validate?.({ [field]: quantity });
        const faults = validate?.errors?.filter(({ instancePath }) => instancePath === `/${field}`);
        expect(faults, `${quantity}`).to.deep.equal([]);
      }
    }
  });
});
