import { describeCosts } from './costs-of.ts';

describeCosts('memory');
describeCosts('sqlite');
