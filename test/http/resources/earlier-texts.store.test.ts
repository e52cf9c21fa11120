import { serverKinds } from '../../support/test-databases.ts';
import { describeEarlierTexts } from './earlier-texts.suite.ts';

describeEarlierTexts(serverKinds);
