import { localKinds } from '../../support/test-databases.ts';
import { describeLaterEvents } from './later-events.suite.ts';

describeLaterEvents(localKinds);
