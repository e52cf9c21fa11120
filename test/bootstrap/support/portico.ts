import { startFlags } from '../../support/start-flags.ts';
import { Program } from './program.ts';

/** How a command ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

interface Place {
  readonly settings?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly input?: string;
}

/** The command in a process of its own, with the flags that its first line gives Node. */
export const portico = (words: readonly string[], { settings = {}, folder, input }: Place = {}): Program =>
  new Program('bootstrap/portico.mjs', settings, folder, startFlags, words, input);

/** Runs it to its end. */
export const ending = async (program: Program): Promise<Ended> => {
  const code = await program.ended();
  return { code, output: program.output, errors: program.errors };
};
