import { describeErasedUser } from './erased-texts.suite.ts';

// Memory has no database to search.
describeErasedUser(['sqlite']);
