import { expect } from 'chai';
import type { Answer, Json } from './client.ts';

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
export const expectError = (answer: Answer, code: Code, fields: readonly string[] = []): void => {
  expect(answer.status, answer.text).to.equal(statuses[code]);
  expect(answer.body, answer.text).to.have.all.keys('error', 'request_id');
  expect(answer.body.request_id).to.equal(answer.headers.get('X-Request-Id'));
  const { details, ...error } = answer.body.error;
  expect(error, answer.text).to.have.all.keys('code', 'message');
  expect(error.code, answer.text).to.equal(code);
  expect(error.message).to.be.a('string').and.not.equal('');
  expect(details?.map(({ field }: Json) => field) ?? [], answer.text).to.have.members(fields);
  for (const detail of details ?? []) expect(detail.message).to.be.a('string').and.not.equal('');
};

export const expectInvalid = (answer: Answer, ...fields: readonly string[]): void =>
  expectError(answer, 'VALIDATION_ERROR', fields);

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

/** Expects a response with one resource and its ETag. @returns the resource */
export const expectOne = (answer: Answer, status = 200): Json => {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.body).to.have.all.keys('data');
  expectResource(answer.body.data);
  expect(answer.headers.get('ETag')).to.equal(`"${answer.body.data.version}"`);
  return answer.body.data;
};

/** Expects 201 with a resource and its Location. @returns the resource */
export const expectCreated = (answer: Answer, collection: string): Json => {
  const resource = expectOne(answer, 201);
  expect(answer.headers.get('Location')).to.equal(`${collection}/${resource.id}`);
  return resource;
};

/** Expects a complete list in ascending order of id. @returns its resources */
export const expectList = (answer: Answer): Json[] => {
  expect(answer.status, answer.text).to.equal(200);
  expect(answer.body).to.have.all.keys('data', 'pagination', 'links');
  expect(answer.body.pagination.has_more).to.equal(false);
  const { data } = answer.body;
  for (const resource of data) expectResource(resource);
  expect(idsOf(data)).to.deep.equal(idsOf(data).sort());
  return data;
};

export const expectNoContent = (answer: Answer): void => {
  expect(answer.status, answer.text).to.equal(204);
  expect(answer.text).to.equal('');
};

export const idsOf = (resources: readonly Json[]): string[] => resources.map(({ id }) => id);
