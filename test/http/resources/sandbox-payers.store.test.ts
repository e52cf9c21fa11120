import { serverKinds } from '../../support/test-databases.ts';
import { describeSandboxPayers } from './sandbox-payers.suite.ts';

describeSandboxPayers(serverKinds);
