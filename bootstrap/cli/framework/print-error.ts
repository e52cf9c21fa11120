import { reasonFor } from '../error-messages.ts';
import type { Terminal } from './terminal.ts';

/** Says what went wrong: in a line, unless only we can mend it. */
export const complain = async (error: unknown, terminal: Terminal): Promise<void> => {
  const [first, ...others] = reasonFor(error);
  await terminal.note(`portico: ${first}`);
  for (const line of others) await terminal.note(line);
};
