import { localKinds } from '../../support/test-databases.ts';
import { describeEarlierTexts } from './earlier-texts.suite.ts';

describeEarlierTexts(localKinds);
