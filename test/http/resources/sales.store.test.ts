import { serverKinds } from '../../support/test-databases.ts';
import { describeSales } from './sales.suite.ts';

describeSales(serverKinds);
