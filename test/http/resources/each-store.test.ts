import { localKinds } from '../../support/test-databases.ts';
import { describeShop } from './each-store.suite.ts';

describeShop(localKinds);
