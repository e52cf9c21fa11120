import type { FieldFault } from '#domain/errors.ts';

/** Faults of a line beyond these are counted; nobody reads thousands. */
const mostFaults = 20;

/** How long the name of a field may be, and a reason as a whole, in characters. */
const longest = { name: 60, reason: 1_000 };

/** What is wrong with a line, in a length that can be read, and kept for the summary. */
export const reasonOf = (faults: readonly FieldFault[]): string => {
  const said = faults
    .slice(0, mostFaults)
    .map(({ field, message }) => `${shortened(field, longest.name)} ${message}`);
  if (faults.length > mostFaults) said.push(`and ${faults.length - mostFaults} more faults`);
  return bounded(said.join('; '));
};

/** A copy of its own, for a part of a text keeps the whole of it in memory. */
export const bounded = (reason: string): string => Buffer.from(shortened(reason, longest.reason)).toString();

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
