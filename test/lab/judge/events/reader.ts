import { type Violation, violation } from '../../violations.ts';
import type { ReceiversJudge } from './evidence.ts';

const found = (detail: string): Violation => violation('reader', detail);

/** The reader has each event of the feed once, and none before a smaller one. */
export const judgeReader: ReceiversJudge = ({ events, read, problems }) => {
  const ids = new Map(events.map(({ sequence, id }) => [sequence, id]));
  const seen = new Set<number>();
  const violations = problems.map((problem) => found(`the reader got ${problem}`));
  let last = 0;
  for (const { sequence, id } of read) {
    if (seen.has(sequence)) violations.push(found(`event ${sequence} was read twice`));
    else if (sequence < last) violations.push(found(`event ${sequence} was read after ${last}`));
    if (ids.get(sequence) !== id) violations.push(found(`event ${sequence} was read as ${id}`));
    seen.add(sequence);
    last = Math.max(last, sequence);
  }
  const missed = events.filter(({ sequence }) => !seen.has(sequence));
  return [
    ...violations,
    ...missed.map(({ sequence, id }) => found(`event ${sequence}, ${id}, was not read`)),
  ];
};
