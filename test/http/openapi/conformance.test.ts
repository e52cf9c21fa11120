import { expect } from 'chai';
import type { ApiResponse, Json } from '../support/client.ts';
import { requireConformance } from '../support/conformance.ts';
import { operationAt } from '../support/described.ts';

const user = operationAt('GET /v1/users/{user_id}');
const { data } = user.responses[200].content['application/json'].example;

/** An example of each response header, from the document. */
const exampleHeaders = (status: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries<Json>(user.responses[status].headers).map(([name, { schema }]) => [
      name,
      `${schema.const ?? schema.examples[0]}`,
    ]),
  );

const response = ({ status = 200, body = { data }, ...changed }: Partial<ApiResponse>): ApiResponse => ({
  status,
  headers: new Headers(exampleHeaders(user.responses[status] ? status : 200)),
  body,
  text: JSON.stringify(body),
  ...changed,
});

describe('The check of requests and responses against the OpenAPI document', () => {
  const address = `/v1/users/${data.id}`;
  const check = (changed: Partial<ApiResponse>, at = address, method = 'GET', sent: Partial<Sent> = {}) => {
    const { headers = {}, body } = sent;
    return () =>
      requireConformance({ method, address: at, headers: new Headers(headers), body }, response(changed));
  };
  interface Sent {
    readonly headers: Record<string, string>;
    readonly body: string;
  }

  it('accepts a declared response, and no other', () => {
    expect(check({})).not.to.throw();
    expect(check({ status: 201 })).to.throw('no such status is described');
    expect(check({ status: 409 })).to.throw('no such status is described');
    expect(check({ body: { data: { ...data, password: 'secret' } } })).to.throw('additional properties');
    expect(check({ body: { data: { ...data, role: 'king' } } })).to.throw('one of the allowed values');
    expect(check({ body: { data: { ...data, version: '1' } } })).to.throw('must be integer');
    expect(check({ body: { ...data } })).to.throw("required property 'data'");
  });

  it('accepts the declared headers, and reports missing, invalid and unknown ones', () => {
    const { ETag: _, ...untagged } = exampleHeaders(200);
    expect(check({ headers: new Headers(untagged) })).to.throw('the header ETag is not there');
    const weak = { ...exampleHeaders(200), ETag: 'W/"1"' };
    expect(check({ headers: new Headers(weak) })).to.throw('the header ETag');
    const more = { ...exampleHeaders(200), Location: '/' };
    expect(check({ headers: new Headers(more) })).to.throw('headers location');
  });

  it('reports an error that the operation does not declare', () => {
    const errorWith = (status: number, code: string) => ({
      status,
      body: { error: { code, message: 'No.' }, request_id: 'r' },
    });
    expect(check(errorWith(403, 'FORBIDDEN'))).not.to.throw();
    expect(check(errorWith(403, 'INVALID_STATE'))).to.throw('one of the allowed values');
    expect(check(errorWith(409, 'CONFLICT'))).to.throw('no such status is described');
  });

  it('reports a success for a request that the document forbids', () => {
    expect(check({}, '/v1/users/ada')).to.throw('should have been rejected: user_id');
    expect(check({}, `${address}?page=2`)).to.throw('should have been rejected: page is not described');
    const change = (body: string, headers = { 'Content-Type': 'application/json' }) =>
      check({}, address, 'PATCH', { body, headers });
    expect(change('{"name": "Ada"}')).not.to.throw();
    expect(change('{"name": ""}')).to.throw('should have been rejected: the body');
    expect(change('{"king": true}')).to.throw('should have been rejected: the body');
    expect(change('{')).to.throw('should have been rejected: the body is no JSON');
    expect(change('{}', { 'Content-Type': 'text/plain' })).to.throw(
      'should have been rejected: a body of text/plain',
    );
    expect(check({}, '/v1/secrets')).to.throw('nothing is said of such a request');
  });

  it('reports a validation error for a request that the document allows', () => {
    const invalid = (message: string) => ({
      status: 422,
      body: {
        error: { code: 'VALIDATION_ERROR', message: 'No.', details: [{ field: 'name', message }] },
        request_id: 'r',
      },
    });
    expect(check(invalid('is ugly'))).to.throw('rejected although the document allows it');
    expect(check(invalid('must be in the future'))).not.to.throw();
    expect(check(invalid('is unknown and must be removed'), `${address}?page=2`)).not.to.throw();
  });
});
