import { type Violation, violation } from '../../violations.ts';
import type { EndpointEvidence, EndpointsEvidence, EndpointsJudge } from './evidence.ts';

const found = (detail: string): Violation => violation('deliveries', detail);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The events that an endpoint must get, in order. */
const matching = (
  { events }: Pick<EndpointsEvidence, 'events'>,
  { types, begin }: Pick<EndpointEvidence, 'types' | 'begin'>,
): EndpointsEvidence['events'] => {
  const matched = new Set(types);
  return events.filter(({ sequence, type }) => sequence > begin && matched.has(type));
};

/** Every matching event has reached each endpoint or is pending, and nothing else has. */
export const judgeDeliveries: EndpointsJudge = (evidence) =>
  evidence.endpoints.flatMap((endpoint) => judgeEndpoint(evidence, endpoint));

const judgeEndpoint = (evidence: EndpointsEvidence, endpoint: EndpointEvidence): Violation[] => {
  const { name, position, works, deliveries, receipts } = endpoint;
  const expected = matching(evidence, endpoint);
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  const acknowledged = new Set(receipts.filter(({ status }) => isSuccess(status)).map(({ id }) => id));
  const violations: Violation[] = [];
  for (const { sequence, id } of expected) {
    const of = byEvent.get(id) ?? [];
    const [delivery] = of;
    if (of.length > 1) violations.push(found(`${name}: event ${sequence} was enqueued ${of.length} times`));
    // What is behind the position is enqueued later.
    if (delivery === undefined) {
      if (sequence <= position) violations.push(found(`${name}: event ${sequence} was not enqueued`));
      continue;
    }
    const { status } = delivery;
    if (status === 'pending') {
      if (works) violations.push(found(`${name}: event ${sequence} is pending, though its receiver works`));
    } else if (status !== 'succeeded') violations.push(found(`${name}: event ${sequence} is ${status}`));
    else if (!acknowledged.has(id))
      violations.push(found(`${name}: event ${sequence} has succeeded and was not received`));
  }
  const sequences = new Map(expected.map(({ sequence, id }) => [id, sequence]));
  const others = receipts.filter(
    ({ id, eventId, sequence }) => id !== eventId || sequences.get(id) !== sequence,
  );
  return [
    ...violations,
    ...others.map(({ id, eventId, sequence }) =>
      found(`${name} got ${id} with event ${eventId} of sequence ${sequence}, which it should not`),
    ),
    ...[...byEvent.keys()]
      .filter((id) => !sequences.has(id))
      .map((id) => found(`${name}: event ${id} was enqueued, which it should not`)),
  ];
};

/** The receiver of a sequential endpoint acknowledges each event for the first time in order, and leaves none out. */
export const judgeOrdering: EndpointsJudge = (evidence) =>
  evidence.endpoints
    .filter(({ ordering }) => ordering === 'sequential')
    .flatMap((endpoint) => {
      const expected = matching(evidence, endpoint).map(({ sequence }) => sequence);
      const successes = endpoint.receipts.filter(({ status }) => isSuccess(status));
      const first = [...new Set(successes.map(({ sequence }) => sequence))];
      const wrong = first.findIndex((sequence, index) => sequence !== expected[index]);
      return wrong < 0
        ? []
        : [
            violation(
              'ordering',
              `${endpoint.name} acknowledged ${first[wrong]} where ${expected[wrong]} comes next`,
            ),
          ];
    });

export const judgeSignatures: EndpointsJudge = ({ endpoints }) =>
  endpoints.flatMap(({ name, receipts }) =>
    receipts
      .filter(({ problem }) => problem !== null)
      .map(({ id, problem }) => violation('signatures', `${name} got ${id}: ${problem}`)),
  );
