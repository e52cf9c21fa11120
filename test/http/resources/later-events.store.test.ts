import { serverKinds } from '../../support/test-databases.ts';
import { describeLaterEvents } from './later-events.suite.ts';

describeLaterEvents(serverKinds);
