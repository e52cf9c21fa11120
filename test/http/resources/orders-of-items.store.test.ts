import { serverKinds } from '../../support/test-databases.ts';
import { describeOrdersOfItems } from './orders-of-items.suite.ts';

describeOrdersOfItems(serverKinds);
