import { serverKinds } from '../../support/test-databases.ts';
import { describeIdempotencyKey } from './idempotency-keys.suite.ts';

describeIdempotencyKey(serverKinds);
