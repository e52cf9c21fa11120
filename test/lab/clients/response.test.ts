import { expect } from 'chai';
import { parseResponse } from './response.ts';

/** Hashes a response to a payment. */
const digestOf = (nextAction: object | null, status = 'requires_action'): string =>
  parseResponse({ status: 201, text: JSON.stringify({ data: { id: '1', next_action: nextAction, status } }) })
    .digest;

describe('The digest of a response', () => {
  it('is the same in a replay, which does not show what the payer has to do', () => {
    const action = { type: 'provider_sdk', client_secret: 'pi_1_secret_2' };
    expect(digestOf(action)).to.equal(digestOf(null));
  });

  it('is another one when anything else has changed', () => {
    expect(digestOf(null, 'succeeded')).to.not.equal(digestOf(null));
  });
});
