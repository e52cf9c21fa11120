import { type Violation, violation } from '../../violations.ts';
import { judgeDeliveries, judgeOrdering, judgeSignatures } from './deliveries.ts';
import type { AudienceEvidence, AudienceJudge } from './evidence.ts';
import { judgeReader } from './reader.ts';
import { judgeLastEvents } from './resources.ts';
import { judgeLag, judgeTakeovers } from './takeovers.ts';

const judgeLeaks: AudienceJudge = ({ leaks }) => leaks.map((leak) => violation('endpointSecrets', leak));

const judges = [
  judgeReader,
  judgeLastEvents,
  judgeDeliveries,
  judgeOrdering,
  judgeSignatures,
  judgeTakeovers,
  judgeLag,
  judgeLeaks,
];

/** Compares the feed with what its reader and the receivers of webhooks have got. */
export const judgeAudience = (evidence: AudienceEvidence): Violation[] =>
  judges.flatMap((each) => each(evidence));
