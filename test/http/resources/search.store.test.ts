import { serverKinds } from '../../support/test-databases.ts';
import { describeSearch } from './search.suite.ts';

describeSearch(serverKinds);
