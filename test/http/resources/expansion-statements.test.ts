import { localKinds } from '../../support/test-databases.ts';
import { describeExpandedPages } from './expansion-statements.suite.ts';

describeExpandedPages(localKinds);
