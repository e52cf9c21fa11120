import { localKinds } from '../../support/test-databases.ts';
import { describeIdempotencyRaces } from './idempotency-races.suite.ts';

describeIdempotencyRaces(localKinds);
