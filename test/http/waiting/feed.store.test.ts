import { serverKinds } from '../../support/test-databases.ts';
import { describeWaitForFeed } from './feed.suite.ts';

describeWaitForFeed(serverKinds);
