import type { Command, Commands } from './command.ts';
import { hint } from './did-you-mean.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { helpOf, overview } from './help.ts';
import { complain } from './print-error.ts';
import { readArguments } from './read-arguments.ts';
import { ReaderGone, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Program {
  readonly commands: Commands;
  readonly version: string;
  readonly terminal: Terminal;
}

/** Carries out what a command line says. What goes wrong is said in a line, and told by the exit code. */
export const run = async (args: readonly string[], program: Program): Promise<ExitCode> => {
  try {
    return await carryOut(args, program);
  } catch (error) {
    if (error instanceof ReaderGone) return exitCodes.done;
    await complain(error, program.terminal);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
};

const carryOut = async (args: readonly string[], program: Program): Promise<ExitCode> => {
  const { commands, version, terminal } = program;
  const [first] = args;
  if (first === '--version') return printed(`${version}\n`, terminal);
  if (first === undefined) {
    await printed(await everything(commands), terminal);
    return exitCodes.misused;
  }
  if (first === 'help' || isHelp(first)) return help(args.slice(1), program);
  const { load, rest } = find(args, commands);
  if (rest.some(isHelp)) return help(args, program);
  if (load === undefined) throw new UsageError(unknown(args, commands));
  const command = await load();
  return (await command.run(readArguments(command, rest), terminal)) ?? exitCodes.done;
};

const printed = async (text: string, terminal: Terminal): Promise<ExitCode> => {
  await terminal.print(text);
  return exitCodes.done;
};

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Help about a command, about those that begin with a word, or about all. */
const help = async (args: readonly string[], { commands, terminal }: Program): Promise<ExitCode> => {
  const words = args.filter((word) => !word.startsWith('-'));
  const { load } = find(words, commands);
  if (load !== undefined) return printed(helpOf(await load()), terminal);
  const [first] = words;
  if (first === undefined || first === 'help') return printed(await everything(commands), terminal);
  const group = groupOf(first, commands);
  if (group.length === 0) throw new UsageError(unknown(words, commands));
  return printed(overview(await loadAll(group, commands)), terminal);
};

/** The command that the first word or two of the line name, and what stands behind. */
const find = (args: readonly string[], commands: Commands) => {
  for (const count of [2, 1]) {
    const load = own(commands, args.slice(0, count).join(' '));
    if (load !== undefined) return { load, rest: args.slice(count) };
  }
  return { load: undefined, rest: args };
};

const own = (commands: Commands, name: string) =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;

const groupOf = (word: string, commands: Commands): string[] =>
  Object.keys(commands).filter((name) => name.startsWith(`${word} `));

const unknown = (args: readonly string[], commands: Commands): string => {
  const [first = '', second = ''] = args;
  const group = groupOf(first, commands);
  if (group.length > 0) {
    const meant = hint(`${first} ${second}`, group);
    return `${first} is followed by ${group.map((name) => name.slice(first.length + 1)).join(', ')}.${meant}`;
  }
  const names = Object.keys(commands);
  const meant = hint(`${first} ${second}`, names) || hint(first, names) || hint(first, beginningsOf(names));
  return `There is no command ${first}.${meant || ' portico help lists those that there are.'}`;
};

const beginningsOf = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.split(' ', 1).join())),
];

const loadAll = (names: readonly string[], commands: Commands): Promise<Command[]> =>
  Promise.all(names.flatMap((name) => own(commands, name)?.() ?? []));

const everything = async (commands: Commands): Promise<string> =>
  overview(await loadAll(Object.keys(commands), commands));
