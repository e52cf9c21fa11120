import { serverKinds } from '../../support/test-databases.ts';
import { describeVisitors } from './provisioning.suite.ts';

describeVisitors(serverKinds);
