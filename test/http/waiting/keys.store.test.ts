import { serverKinds } from '../../support/test-databases.ts';
import { describeWaitForKey } from './keys.suite.ts';

describeWaitForKey(serverKinds);
