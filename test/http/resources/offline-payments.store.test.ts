import { serverKinds } from '../../support/test-databases.ts';
import { describePaymentWithoutProvider } from './offline-payments.suite.ts';

describePaymentWithoutProvider(serverKinds);
