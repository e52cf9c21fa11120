import { serverKinds } from '../../support/test-databases.ts';
import { describeRateLimit, describeRateLimitOfKey } from './rate-limit.suite.ts';

describeRateLimit(serverKinds);
describeRateLimitOfKey(serverKinds);
