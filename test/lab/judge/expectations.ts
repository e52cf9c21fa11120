import { expect } from 'chai';
import { type Violation, type ViolationKind, violationKinds } from '../violations.ts';

/** A kind of violation, and a word of the detail by which it is found. */
export type Seen = readonly [kind: ViolationKind, word: string];

/** Expects these violations, and none of another kind. */
export const expectOnly = (found: readonly Violation[], seen: readonly Seen[]): void => {
  for (const [kind, word] of seen) {
    const details = found.filter((violation) => violation.kind === kind).map(({ detail }) => detail);
    expect(details.join('\n'), violationKinds[kind]).to.include(word);
  }
  expect(new Set(found.map(({ kind }) => kind))).to.deep.equal(new Set(seen.map(([kind]) => kind)));
};

/** The row at an index, by default the first. @throws RangeError when there is none */
export const one = <T>(rows: readonly T[], index = 0): T => {
  const row = rows[index];
  if (row === undefined) throw new RangeError(`There is none at ${index}.`);
  return row;
};
