import { serverKinds } from '../../support/test-databases.ts';
import { describeWaitForPayment } from './resources.suite.ts';

describeWaitForPayment(serverKinds);
