import { serverKinds } from '../../support/test-databases.ts';
import { describeSecret } from './webhook-secrets.suite.ts';

describeSecret(serverKinds);
