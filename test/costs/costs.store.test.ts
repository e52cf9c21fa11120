import { allKinds } from '../support/test-databases.ts';
import { describeCosts } from './costs-of.ts';

for (const kind of allKinds) if (kind !== 'memory' && kind !== 'sqlite') describeCosts(kind);
