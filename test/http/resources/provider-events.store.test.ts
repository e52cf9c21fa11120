import { serverKinds } from '../../support/test-databases.ts';
import { describeLateDecision } from './provider-events.suite.ts';

describeLateDecision(serverKinds);
