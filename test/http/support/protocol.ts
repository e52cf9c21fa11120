import { expect } from 'chai';
import type { Answer } from './client.ts';

/** What a service says of itself that was told nothing else: its own address, by the port it was given. */
const ownOrigin = 'http://127.0.0.1:0';

/** The headers of every answer, in the specification's words. One that were there twice would be joined, and differ. */
export const expectCommonHeaders = ({ headers }: Answer, origin = ownOrigin): void => {
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

export const expectJson = ({ headers }: Answer): void => {
  expect(headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
};

/**
 * A refusal in the envelope, with all that belongs to it.
 * @param meaning status and code: `413 PAYLOAD_TOO_LARGE`
 * @param fields those at fault, when the refusal names any
 */
export const expectProblem = (answer: Answer, meaning: string, fields?: readonly string[]): void => {
  expectCommonHeaders(answer);
  expectJson(answer);
  const { error, request_id: requestId, ...rest } = answer.body;
  expect(`${answer.status} ${error.code}`, answer.text).to.equal(meaning);
  expect(rest).to.deep.equal({});
  expect(requestId).to.equal(answer.headers.get('X-Request-Id'));
  const { code: _, message, details, ...others } = error;
  expect(others).to.deep.equal({});
  expect(message)
    .to.be.a('string')
    .and.match(/^[A-Z].*\.$/);
  if (fields === undefined) return;
  expect(
    details?.map(({ field }: { readonly field: string }) => field),
    answer.text,
  ).to.deep.equal(fields);
};

/** What every answer to somebody who was recognised says of their limit. */
export const expectRateLimit = ({ headers }: Answer): void => {
  const limit = Number(headers.get('X-RateLimit-Limit'));
  expect(limit).to.be.at.least(1);
  expect(headers.get('X-RateLimit-Remaining')).to.match(/^\d+$/);
  expect(Number(headers.get('X-RateLimit-Remaining'))).to.be.below(limit);
  const seconds = Number(headers.get('X-RateLimit-Reset')) - Date.now() / 1000;
  expect(seconds).to.be.above(-1).and.at.most(62);
};
