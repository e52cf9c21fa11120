import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { hint } from './did-you-mean.ts';
import type { Option } from './option.ts';
import { UsageError } from './usage-error.ts';

/** `fromLine` as people write it: `--from-line`. */
export const optionName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** What was written of a command's options and operands. */
interface Written {
  readonly options: ReadonlyMap<string, string | true>;
  readonly operands: readonly string[];
}

/** What an operand or option is called in a sentence. */
interface Named {
  readonly name: string;
  readonly called: string;
  readonly option: Option<unknown>;
}

const optionsOf = ({ options }: Command): readonly Named[] =>
  Object.entries(options).map(([name, option]) => ({ name, called: optionName(name), option }));

const operandsOf = ({ operands }: Command): readonly Named[] =>
  Object.entries(operands).map(([name, option]) => ({ name, called: option.placeholder ?? name, option }));

/** @throws UsageError */
export const readArguments = (
  command: Command,
  args: readonly string[],
): Readonly<Record<string, unknown>> => {
  const written = survey(command, args);
  const operands = operandsOf(command);
  const [surplus] = written.operands.slice(operands.length);
  if (surplus !== undefined)
    throw new UsageError(`${command.name} does not know what to do with ${surplus}.`);
  return Object.fromEntries([
    ...operands.map((named, place) => [named.name, taken(named, written.operands[place])]),
    ...optionsOf(command).map((named) => [named.name, taken(named, written.options.get(named.called))]),
  ]);
};

const taken = ({ called, option }: Named, written: string | true | undefined): unknown => {
  const result = option.take(written);
  if ('fault' in result) throw new UsageError(`${called} ${result.fault}.`);
  return result.value;
};

const survey = (command: Command, args: readonly string[]): Written => {
  const known = new Map(optionsOf(command).map(({ called, option }) => [called, option]));
  const declared = [...known].map(([called, { placeholder }]) => [
    called.slice(2),
    { type: placeholder === undefined ? ('boolean' as const) : ('string' as const) },
  ]);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(declared),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const options = new Map<string, string | true>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, value, inlineValue } = token;
    const option = known.get(rawName);
    if (option === undefined) {
      throw new UsageError(`${command.name} has no option ${rawName}.${hint(rawName, [...known.keys()])}`);
    }
    if (options.has(rawName)) throw new UsageError(`${rawName} is there twice.`);
    if (option.placeholder === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
      options.set(rawName, true);
    } else {
      // What looks like the next option is no value, unless it is tied to this one by `=`.
      const isMissing = value === undefined || (!inlineValue && value.startsWith('--'));
      if (isMissing) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.placeholder}.`);
      options.set(rawName, value);
    }
  }
  return { options, operands };
};
