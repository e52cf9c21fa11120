import { expect } from 'chai';
import type { ApiResponse, Json } from './client.ts';

/** The status of each error code. */
const statuses = {
  IDEMPOTENCY_KEY_MISSING: 400,
  IDEMPOTENCY_KEY_INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  PRODUCT_NOT_FOUND: 404,
  CONFLICT: 409,
  INVALID_STATE: 409,
  OUT_OF_STOCK: 409,
  PRODUCT_UNAVAILABLE: 409,
  AMOUNT_EXCEEDED: 409,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  EVENTS_FORGOTTEN: 410,
  PRECONDITION_FAILED: 412,
  VALIDATION_ERROR: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  PAYMENT_DECLINED: 422,
  UPSTREAM_FAILED: 502,
  SERVICE_UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504,
} as const;

export type Code = keyof typeof statuses;

/** Expects an error response with this code and exactly these invalid fields. */
export const expectError = (response: ApiResponse, code: Code, fields: readonly string[] = []): void => {
  expect(response.status, response.text).to.equal(statuses[code]);
  expect(response.body, response.text).to.have.all.keys('error', 'request_id');
  expect(response.body.request_id).to.equal(response.headers.get('X-Request-Id'));
  const { details, ...error } = response.body.error;
  expect(error, response.text).to.have.all.keys('code', 'message');
  expect(error.code, response.text).to.equal(code);
  expect(error.message).to.be.a('string').and.not.equal('');
  expect(details?.map(({ field }: Json) => field) ?? [], response.text).to.have.members(fields);
  for (const detail of details ?? []) expect(detail.message).to.be.a('string').and.not.equal('');
};

export const expectInvalid = (response: ApiResponse, ...fields: readonly string[]): void =>
  expectError(response, 'VALIDATION_ERROR', fields);

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const expectResource = (resource: Json): void => {
  expect(resource.id).to.match(uuidV7);
  expect(resource.version).to.be.a('number').and.be.at.least(1);
  expect(resource.created_at).to.match(time);
  expect(resource.updated_at)
    .to.match(time)
    .and.satisfy((at: string) => at >= resource.created_at);
};

/** Expects a response with one resource and its ETag, which one with the action of a payer lacks. @returns the resource */
export const expectOne = (response: ApiResponse, status = 200): Json => {
  expect(response.status, response.text).to.equal(status);
  expect(response.body).to.have.all.keys('data');
  expectResource(response.body.data);
  const { version, next_action: action } = response.body.data;
  if ((action ?? null) === null) expect(response.headers.get('ETag')).to.equal(`"${version}"`);
  else {
    expect(response.headers.get('ETag')).to.equal(null);
    expect(response.headers.get('Cache-Control')).to.equal('no-store');
  }
  return response.body.data;
};

/** Expects 201 with a resource and its Location. @returns the resource */
export const expectCreated = (response: ApiResponse, collection: string): Json => {
  const resource = expectOne(response, 201);
  expect(response.headers.get('Location')).to.equal(`${collection}/${resource.id}`);
  return resource;
};

/** Expects a complete list in ascending order of id. @returns its resources */
export const expectList = (response: ApiResponse): Json[] => {
  expect(response.status, response.text).to.equal(200);
  expect(response.body).to.have.all.keys('data', 'pagination', 'links');
  expect(response.body.pagination.has_more).to.equal(false);
  const { data } = response.body;
  for (const resource of data) expectResource(resource);
  expect(idsOf(data)).to.deep.equal(idsOf(data).sort());
  return data;
};

export const expectNoContent = (response: ApiResponse): void => {
  expect(response.status, response.text).to.equal(204);
  expect(response.text).to.equal('');
};

export const idsOf = (resources: readonly Json[]): string[] => resources.map(({ id }) => id);
