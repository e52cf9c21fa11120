import { parseArgs } from 'node:util';
import { type Argument, type Command, type Option, optionName } from './command.ts';
import { didYouMean } from './did-you-mean.ts';
import { UsageError } from './exit-codes.ts';
import { usageOf } from './help.ts';

/** The arguments as written, before their options parse them. */
interface RawArguments {
  readonly options: ReadonlyMap<string, Exclude<Argument, undefined>>;
  readonly operands: readonly string[];
}

interface Parameter {
  readonly name: string;
  /** How messages name it: `--user`, `FILE`. */
  readonly label: string;
  readonly option: Option<unknown>;
}

const optionsOf = ({ options }: Command): readonly Parameter[] =>
  Object.entries(options).map(([name, option]) => ({ name, label: optionName(name), option }));

const operandsOf = ({ operands }: Command): readonly Parameter[] =>
  Object.entries(operands).map(([name, option]) => ({ name, label: option.placeholder ?? name, option }));

/**
 * Parses what stands behind a command's name.
 * @returns the values by the names in the command's declaration
 * @throws UsageError for an argument that is unknown, repeated, missing or invalid
 */
export const parseArguments = (
  command: Command,
  args: readonly string[],
): Readonly<Record<string, unknown>> => {
  const raw = tokenize(command, args);
  const operands = operandsOf(command);
  const [surplus] = raw.operands.slice(operands.length);
  if (surplus !== undefined) {
    throw (
      detachedValue(command, args) ??
      new UsageError(`Unexpected argument ${surplus} for ${command.name}. ${usageOf(command)}`)
    );
  }
  const parse = ({ name, label, option }: Parameter, argument: Argument) => {
    const parsed = option.parse(argument);
    if ('value' in parsed) return [name, parsed.value] as const;
    const usage = argument === undefined ? ` ${usageOf(command)}` : '';
    throw new UsageError(`${label} ${parsed.error}.${usage}`);
  };
  return Object.fromEntries([
    ...operands.map((parameter, index) => parse(parameter, raw.operands[index])),
    ...optionsOf(command).map((parameter) => parse(parameter, raw.options.get(parameter.label))),
  ]);
};

const tokenize = (command: Command, args: readonly string[]): RawArguments => {
  const known = new Map(optionsOf(command).map(({ label, option }) => [label, option]));
  const declared = [...known].map(([label, { placeholder, isValueOptional }]) => [
    label.slice(2),
    { type: placeholder === undefined || isValueOptional ? ('boolean' as const) : ('string' as const) },
  ]);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(declared),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const options = new Map<string, Exclude<Argument, undefined>>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, value, inlineValue } = token;
    const option = known.get(rawName);
    if (option === undefined) {
      throw unknownOption(command, rawName, args[token.index] ?? rawName);
    }
    const before = options.get(rawName);
    if (before !== undefined && !option.isRepeatable) throw new UsageError(`${rawName} is given twice.`);
    if (option.isValueOptional && value === undefined) options.set(rawName, true);
    else if (option.placeholder === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
      options.set(rawName, true);
    } else {
      // A value that begins with `--` is parsed as the next option, unless `=` attaches it to this one.
      const isMissing = value === undefined || (!inlineValue && value.startsWith('--'));
      if (isMissing) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.placeholder}.`);
      const earlier = typeof before === 'object' ? before : [];
      options.set(rawName, option.isRepeatable ? [...earlier, value] : value);
    }
  }
  return { options, operands };
};

/** @param word the whole of what was written: `-json`, of which `-j` was read as an option */
const unknownOption = (command: Command, name: string, word: string): UsageError => {
  const names = [...optionsOf(command).map(({ label }) => label), '--help'];
  const [written = name] = word.split('=', 1);
  const meant = didYouMean(written, names);
  const shown = meant === '' ? name : written;
  return new UsageError(
    `${command.name} has no option ${shown}.${meant || ` Run portico help ${command.name}.`}`,
  );
};

/** Of an option whose value may be omitted, the value stood behind a space, and so was read as an operand. */
const detachedValue = (command: Command, args: readonly string[]): UsageError | undefined => {
  for (const { label, option } of optionsOf(command)) {
    const value = args[args.indexOf(label) + 1] ?? '';
    const isDetached = option.isValueOptional && args.includes(label) && 'value' in option.parse(value);
    if (isDetached) return new UsageError(`Write ${label}=${value} instead of ${label} ${value}.`);
  }
  return undefined;
};
