import { serverKinds } from '../../support/test-databases.ts';
import { describePayerAction } from './payer-consent.suite.ts';

describePayerAction(serverKinds);
