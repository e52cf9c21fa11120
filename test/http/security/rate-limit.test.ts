import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { ApiResponse } from '../support/client.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { describeRateLimit, describeRateLimitOfKey } from './rate-limit.suite.ts';

describeRateLimit(localKinds);
describeRateLimitOfKey(localKinds);

const number = ({ headers }: ApiResponse, name: string): number => {
  const value = headers.get(name);
  expect(value, name).to.match(/^\d+$/);
  return Number(value);
};

describeServiceOnMemory('The default rate limit', { RATE_LIMIT_MAX: '' }, (service) => {
  it('is 600 requests a minute', async () => {
    const answer = await service.operator.get('/v1/products');
    expect(number(answer, 'X-RateLimit-Limit')).to.equal(600);
    expect(number(answer, 'X-RateLimit-Remaining')).to.equal(599);
    expect(number(answer, 'X-RateLimit-Reset') - Date.now() / 1000).to.be.within(58, 61);
  });
});
