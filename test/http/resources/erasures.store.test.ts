import { serverKinds } from '../../support/test-databases.ts';
import { describeErasure } from './erasures.suite.ts';

describeErasure(serverKinds);
