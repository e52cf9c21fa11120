import { serverKinds } from '../../support/test-databases.ts';
import { describeLateDecision } from './news-from-provider.suite.ts';

describeLateDecision(serverKinds);
