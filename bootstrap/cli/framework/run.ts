import { DomainError } from '#domain/errors.ts';
import { domainErrorMessage, printError } from '../error-messages.ts';
import { type Command, type Commands, optionName } from './command.ts';
import { didYouMean } from './did-you-mean.ts';
import { type ExitCode, exitCodes, folderNamed, UsageError } from './exit-codes.ts';
import { renderHelp, renderOverview } from './help.ts';
import { parseArguments } from './parse-arguments.ts';
import { BrokenPipe, type Terminal } from './terminal.ts';

interface Program {
  readonly commands: Commands;
  readonly version: string;
  readonly terminal: Terminal;
}

/**
 * Runs a command line. It never throws: an error is printed to standard error and becomes the exit code.
 * @param args without the name of the program
 */
export const run = async (args: readonly string[], program: Program): Promise<ExitCode> => {
  try {
    return await dispatch(args, program);
  } catch (error) {
    if (error instanceof BrokenPipe) return exitCodes.success;
    await printError(error, program.terminal);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failure;
  }
};

const dispatch = async (args: readonly string[], program: Program): Promise<ExitCode> => {
  const { commands, version, terminal } = program;
  const [first] = args;
  if (first === '--version') return printAndSucceed(`${version}\n`, terminal);
  if (first === undefined) {
    await terminal.print(await fullOverview(program));
    return exitCodes.usage;
  }
  if (first === 'help' || isHelpFlag(first)) return printHelp(args.slice(1), program);
  const { load, rest } = findCommand(args, commands);
  if (rest.some(isHelpFlag)) return printHelp(args, program);
  if (load === undefined) throw new UsageError(await unknownCommandMessage(args, commands));
  const command = await load();
  const values = parseArguments(command, rest);
  try {
    return (await command.run(values, terminal)) ?? exitCodes.success;
  } catch (error) {
    throw asUsageError(error, command, Object.values(values));
  }
};

/** What a command has found to be wrong with the values of its command line. Any other error is returned as it is. */
const asUsageError = (error: unknown, { options }: Command, values: readonly unknown[]): unknown => {
  if (error instanceof DomainError && error.kind === 'validation') {
    const named = error.fieldErrors.map(({ field, message }) => ({
      field: Object.hasOwn(options, field) ? optionName(field) : field,
      message,
    }));
    return new UsageError(domainErrorMessage({ message: error.message, fieldErrors: named }));
  }
  const { code, path } = error as NodeJS.ErrnoException;
  return code === 'EISDIR' && path !== undefined && values.includes(path) ? folderNamed(path) : error;
};

const printAndSucceed = async (text: string, terminal: Terminal): Promise<ExitCode> => {
  await terminal.print(text);
  return exitCodes.success;
};

const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h';

/** Prints the help of one command, of a group such as `keys`, or of all commands. */
const printHelp = async (args: readonly string[], program: Program): Promise<ExitCode> => {
  const { commands, terminal } = program;
  const words = args.filter((word) => !word.startsWith('-'));
  const { load } = findCommand(words, commands);
  if (load !== undefined) return printAndSucceed(renderHelp(await load(), terminal.columns), terminal);
  const [first] = words;
  if (first === undefined || first === 'help') {
    return printAndSucceed(await fullOverview(program), terminal);
  }
  const group = groupOf(first, commands);
  if (group.length === 0 || words.length > 1) {
    throw new UsageError(await unknownCommandMessage(words, commands));
  }
  return printAndSucceed(renderOverview(await loadAll(group, commands), terminal.columns), terminal);
};

/** @returns the command that the first two words or the first one name, and the words behind it */
const findCommand = (args: readonly string[], commands: Commands) => {
  for (const count of [2, 1]) {
    const load = loaderOf(commands, args.slice(0, count).join(' '));
    if (load !== undefined) return { load, rest: args.slice(count) };
  }
  return { load: undefined, rest: args };
};

const loaderOf = (commands: Commands, name: string) =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;

const groupOf = (word: string, commands: Commands): string[] =>
  Object.keys(commands).filter((name) => name.startsWith(`${word} `));

/** What a user can write in place of a command. */
const globalWords = ['help', '--help', '--version'];

const unknownCommandMessage = async (args: readonly string[], commands: Commands): Promise<string> => {
  const [first = '', second = ''] = args;
  const group = groupOf(first, commands);
  if (group.length > 0) {
    const subcommands = group.map((name) => name.slice(first.length + 1));
    const meant =
      second === '' ? await readingCommand(group, commands) : didYouMean(second, subcommands, `${first} `);
    return `${first} needs a subcommand: ${subcommands.join(', ')}.${meant}`;
  }
  const names = Object.keys(commands);
  const meant =
    (names.includes(`${second} ${first}`) ? ` Did you mean ${second} ${first}?` : '') ||
    didYouMean(`${first} ${second}`, names) ||
    didYouMean(first, [...names, ...firstWordsOf(names), ...globalWords]);
  const kind = first.startsWith('-') ? 'option' : 'command';
  return `There is no ${kind} ${first}.${meant || ' Run portico help for a list of commands.'}`;
};

/** The suggestion for a group without a subcommand: a user who follows it blindly changes nothing. */
const readingCommand = async (group: readonly string[], commands: Commands): Promise<string> => {
  const reading = (await loadAll(group, commands)).find(({ isReadOnly }) => isReadOnly);
  return reading === undefined ? '' : ` Did you mean ${reading.name}?`;
};

const firstWordsOf = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.split(' ', 1).join())),
];

const loadAll = (names: readonly string[], commands: Commands): Promise<Command[]> =>
  Promise.all(names.flatMap((name) => loaderOf(commands, name)?.() ?? []));

const fullOverview = async ({ commands, terminal }: Program): Promise<string> =>
  renderOverview(await loadAll(Object.keys(commands), commands), terminal.columns);
