import { type Violation, violation } from '../../violations.ts';
import { judgeDeliveries, judgeOrdering, judgeSignatures } from './deliveries.ts';
import type { EndpointsEvidence, ReceiversEvidence, ReceiversJudge } from './evidence.ts';
import { judgeReader } from './reader.ts';
import { judgeLastEvents } from './resources.ts';
import { judgeLag, judgeTakeovers } from './takeovers.ts';

const judgeLeaks: ReceiversJudge = ({ leaks }) => leaks.map((leak) => violation('endpointSecrets', leak));

const judgesOfEndpoints = [judgeDeliveries, judgeOrdering, judgeSignatures, judgeLag];

const judges = [judgeReader, judgeLastEvents, ...judgesOfEndpoints, judgeTakeovers, judgeLeaks];

/** Compares the feed with what the receivers of webhooks have got. */
export const judgeEndpoints = (evidence: EndpointsEvidence): Violation[] =>
  judgesOfEndpoints.flatMap((each) => each(evidence));

/** Compares the feed with what its reader and the receivers of webhooks have got. */
export const judgeReceivers = (evidence: ReceiversEvidence): Violation[] =>
  judges.flatMap((each) => each(evidence));
