import { localKinds } from '../../support/test-databases.ts';
import { describeLostOrders } from './lost-orders.suite.ts';

describeLostOrders(localKinds);
