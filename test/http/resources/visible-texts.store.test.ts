import { serverKinds } from '../../support/test-databases.ts';
import { describeEmailDomain, describeSku } from './visible-texts.suite.ts';

describeSku(serverKinds);
describeEmailDomain(serverKinds);
