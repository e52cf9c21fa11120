import { serverKinds } from '../../support/test-databases.ts';
import { describeQuantitySteps } from './quantity-steps.suite.ts';

describeQuantitySteps(serverKinds);
