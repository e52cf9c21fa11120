import { startFlags } from '../../support/start-flags.ts';
import { Program } from './program.ts';

/** The exit code and the output of a command. */
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

/** The command `portico` in a process of its own, with the flags of its first line. */
export const portico = (words: readonly string[], { settings = {}, folder, input }: Place = {}): Program =>
  new Program('bootstrap/portico.mjs', settings, folder, startFlags, words, input);

/** Waits until it has exited. */
export const ending = async (program: Program): Promise<Ended> => {
  const code = await program.ended();
  return { code, output: program.output, errors: program.errors };
};
