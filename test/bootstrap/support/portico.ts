import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { commands } from '#bootstrap/cli/commands/all.ts';
import { run } from '#bootstrap/cli/framework/run.ts';
import { createTerminal } from '#bootstrap/cli/framework/terminal.ts';
import { version } from '#bootstrap/process/version.ts';
import { Program } from '../../lab/program.ts';
import { startFlags } from '../../support/start-flags.ts';

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
  new Program('bootstrap/portico.mjs', { environment: settings, folder, flags: startFlags, words, input });

/** Waits until it has exited. */
export const ending = async (program: Program): Promise<Ended> => {
  const code = await program.ended();
  return { code, output: program.output, errors: program.errors };
};

/**
 * Runs a command in this process, which saves the start of another. One at a time, and only commands that need no signals.
 * @param settings its whole environment
 * @param place its working directory, by default one without a file `.env` that could change the settings, and its standard input
 */
export const runHere = async (
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  { folder = tmpdir(), input = '' }: Omit<Place, 'settings'> = {},
): Promise<Ended> => {
  const written = { output: '', errors: '' };
  const writeTo = (name: keyof typeof written): Writable =>
    new Writable({
      write: (text, _, done) => {
        written[name] += text;
        done();
      },
    });
  const terminal = createTerminal({
    stdin: Readable.from([Buffer.from(input)]),
    stdout: writeTo('output'),
    stderr: writeTo('errors'),
    env: settings,
    on: () => undefined,
  });
  const [environment, before] = [process.env, process.cwd()];
  process.env = { ...settings };
  process.chdir(folder);
  try {
    const code = await run(words, { commands, version, terminal });
    await terminal.flush();
    return { code, ...written };
  } finally {
    process.chdir(before);
    process.env = environment;
  }
};
