import { serverKinds } from '../../support/test-databases.ts';
import { describeErasedUser } from './erased-texts.suite.ts';

describeErasedUser(serverKinds);
