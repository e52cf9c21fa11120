import { expect } from 'chai';
import type { ApiResponse } from './client.ts';

/** The CORS origin of the tests' services. No page has it. */
export const allowedOrigin = 'http://127.0.0.1:0';

/** The headers of every response, as the specification has them. A duplicate header would be joined, and differ. */
export const expectCommonHeaders = ({ headers }: ApiResponse, origin = allowedOrigin): void => {
  expect(Object.fromEntries(headers)).to.include({
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'Content-Type, Authorization',
  });
  expect(headers.get('X-Request-Id')).to.match(/^[\x21-\x7e]{1,200}$/);
  expect(headers.has('X-Powered-By')).to.equal(false);
  expect(headers.has('Server')).to.equal(false);
};

export const expectJson = ({ headers }: ApiResponse): void => {
  expect(headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
};

/**
 * Expects an error response in its envelope, with the common headers.
 * @param meaning status and code: `413 PAYLOAD_TOO_LARGE`
 * @param fields the invalid fields, if the error names any
 */
export const expectProblem = (response: ApiResponse, meaning: string, fields?: readonly string[]): void => {
  expectCommonHeaders(response);
  expect(response.body?.error, `${response.status} ${response.text}`).to.be.an('object');
  expectJson(response);
  const { error, request_id: requestId, ...rest } = response.body;
  expect(`${response.status} ${error.code}`, response.text).to.equal(meaning);
  expect(rest).to.deep.equal({});
  expect(requestId).to.equal(response.headers.get('X-Request-Id'));
  const { code: _, message, details, ...others } = error;
  expect(others).to.deep.equal({});
  expect(message)
    .to.be.a('string')
    .and.match(/^[A-Z].*\.$/);
  if (fields === undefined) return;
  expect(
    details?.map(({ field }: { readonly field: string }) => field),
    response.text,
  ).to.deep.equal(fields);
};

/** The rate-limit headers of every response to an authenticated client. */
export const expectRateLimit = ({ headers }: ApiResponse): void => {
  const limit = Number(headers.get('X-RateLimit-Limit'));
  expect(limit).to.be.at.least(1);
  expect(headers.get('X-RateLimit-Remaining')).to.match(/^\d+$/);
  expect(Number(headers.get('X-RateLimit-Remaining'))).to.be.below(limit);
  const seconds = Number(headers.get('X-RateLimit-Reset')) - Date.now() / 1000;
  expect(seconds).to.be.above(-1).and.at.most(62);
};
