import { type Violation, violation } from '../../violations.ts';
import { judgeDeliveries, judgeOrdering, judgeSignatures } from './deliveries.ts';
import type { AudienceEvidence, AudienceJudge, EndpointsEvidence } from './evidence.ts';
import { judgeReader } from './reader.ts';
import { judgeLastEvents } from './resources.ts';
import { judgeLag, judgeTakeovers } from './takeovers.ts';

const judgeLeaks: AudienceJudge = ({ leaks }) => leaks.map((leak) => violation('endpointSecrets', leak));

const judgesOfEndpoints = [judgeDeliveries, judgeOrdering, judgeSignatures, judgeLag];

const judges = [judgeReader, judgeLastEvents, ...judgesOfEndpoints, judgeTakeovers, judgeLeaks];

/** Compares the feed with what the receivers of webhooks have got. */
export const judgeEndpoints = (evidence: EndpointsEvidence): Violation[] =>
  judgesOfEndpoints.flatMap((each) => each(evidence));

/** Compares the feed with what its reader and the receivers of webhooks have got. */
export const judgeAudience = (evidence: AudienceEvidence): Violation[] =>
  judges.flatMap((each) => each(evidence));
