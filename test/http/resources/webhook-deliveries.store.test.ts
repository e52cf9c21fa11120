import { serverKinds } from '../../support/test-databases.ts';
import { describeDelivery } from './webhook-deliveries.suite.ts';

describeDelivery(serverKinds);
