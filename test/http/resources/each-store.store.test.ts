import { serverKinds } from '../../support/test-databases.ts';
import { describeShop } from './each-store.suite.ts';

describeShop(serverKinds);
