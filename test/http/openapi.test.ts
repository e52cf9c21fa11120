import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { startApp } from '#bootstrap/app.ts';
import { readConfig } from '#bootstrap/config.ts';
import { freePort } from '../bootstrap/ports.ts';
import { type Answer, Client, type Json } from './client.ts';
import { requireConformity } from './conformance.ts';
import { document } from './described.ts';

const operations: readonly (Json & { readonly target: string })[] = Object.entries(
  document.paths as Json,
).flatMap(([path, methods]: [string, Json]) =>
  Object.entries(methods).map(([method, operation]: [string, Json]) => ({
    target: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

const operationAt = (target: string): Json =>
  operations.find((operation) => operation.target === target) ?? expect.fail(`${target} is not described.`);

describe('The description of the API', () => {
  it('is served to whoever operates it, without a credential', async () => {
    const settings = {
      DATABASE_URL: 'memory:',
      PORT: '0',
      OPS_PORT: `${await freePort()}`,
      LOG_LEVEL: 'silent',
    };
    const app = await startApp(readConfig(settings));
    try {
      const answer = await new Client(() => app.opsUrl ?? '', undefined).get('/openapi.json');
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
      expect(answer.body).to.deep.equal(JSON.parse(JSON.stringify(document)));
    } finally {
      await app.close();
    }
  });

  it('knows every operation by a name of its own, and says what it needs and may answer', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).to.equal(operations.length);
    expect(operations).to.have.length.greaterThan(30);
    for (const { target, description, responses } of operations) {
      expect(description, target).to.match(/Needs an API key with the scope `[a-z-]+:(read|write)`/);
      const refusals = Object.entries<Json>(responses).filter(([status]) => Number(status) >= 400);
      for (const [, { content }] of refusals) {
        const codes: readonly string[] =
          content['application/json'].schema.properties.error.properties.code.enum;
        for (const code of codes) expect(description, target).to.contain(`\`${code}\``);
      }
    }
  });

  it('has the statuses and codes of a payment as the contract has them', () => {
    const { responses, parameters } = operationAt('POST /v1/payments');
    const codesOf = (status: number): readonly string[] =>
      responses[status].content['application/json'].schema.properties.error.properties.code.enum;
    expect(Object.keys(responses)).to.have.members([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
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
    expect(parameters).to.deep.include({ $ref: '#/components/parameters/RequiredIdempotencyKey' });
  });

  it('says of a field what the service holds it to', () => {
    const { properties, required } =
      operationAt('POST /v1/orders').requestBody.content['application/json'].schema;
    expect(required).to.deep.equal(['product_id', 'quantity']);
    expect(properties.product_id).to.include({ type: 'string', format: 'uuid' });
    expect(properties.quantity).to.include({ type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 });
    const product = operationAt('POST /v1/products').requestBody.content['application/json'].schema;
    expect(product.properties.name).to.include({ minLength: 1, maxLength: 200 });
    expect(product.properties.description.type).to.deep.equal(['string', 'null']);
    expect(product.additionalProperties).to.equal(false);
  });

  it('says what every field is, with an example that the field takes', () => {
    const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6 });
    formats.default(ajv);
    const bodies = operations.flatMap(({ requestBody }) =>
      requestBody ? [requestBody.content['application/json'].schema] : [],
    );
    const schemas: readonly Json[] = [...Object.values(document.components.schemas), ...bodies];
    expect(schemas).to.have.length.greaterThan(15);
    for (const { properties } of schemas) {
      for (const [name, field] of Object.entries<Json>(properties)) {
        expect(field.description, name).to.be.a('string');
        for (const example of field.examples ?? []) expect(ajv.validate(field, example), name).to.equal(true);
      }
    }
  });

  describe('does not allow for an answer', () => {
    const data = {
      ...{ id: '01890000-0000-7000-8000-000000000000', email: 'ada@example.com', name: 'Ada', role: 'admin' },
      ...{ version: 1, created_at: '2026-03-01T12:00:00.000Z', updated_at: '2026-03-01T12:00:00.000Z' },
    };
    const answer = (changed: Partial<Answer>): Answer => {
      const body = changed.body ?? { data };
      return {
        status: 200,
        headers: new Headers({ ETag: '"1"' }),
        body,
        text: JSON.stringify(body),
        ...changed,
      };
    };
    const require = (changed: Partial<Answer>) => () =>
      requireConformity('GET', '/v1/users/01890000-0000-7000-8000-000000000000', answer(changed));

    it('that is none of those described, and does for one that is', () => {
      expect(require({})).not.to.throw();
      expect(require({ status: 201 })).to.throw('no such status is described');
      expect(require({ status: 409 })).to.throw('no such status is described');
      expect(require({ headers: new Headers({ Location: '/' }) })).to.throw('headers location');
      expect(require({ body: { data: { ...data, password: 'secret' } } })).to.throw('additional properties');
      expect(require({ body: { data: { ...data, role: 'king' } } })).to.throw('one of the allowed values');
      expect(require({ body: { data: { ...data, version: '1' } } })).to.throw('must be integer');
      expect(require({ body: { ...data } })).to.throw("required property 'data'");
    });

    it('whose code is another operation’s', () => {
      const refused = (code: string) => ({
        status: 403,
        headers: new Headers(),
        body: { error: { code, message: 'No.' }, request_id: 'r' },
      });
      expect(require(refused('FORBIDDEN'))).not.to.throw();
      expect(require(refused('INVALID_STATE'))).to.throw('one of the allowed values');
    });
  });
});
