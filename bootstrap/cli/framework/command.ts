import type { Rule } from '#domain/rule.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** A parsed argument, or the reason for which it is invalid, which follows the option's name in the message. */
type Parsed<A> = { readonly value: A } | { readonly error: string };

/** What the command line has for an option: undefined when it was omitted, true without a value, several when it is repeated. */
export type Argument = string | true | readonly string[] | undefined;

/** An option, written `--name`, or an operand, which has a position instead of a name. */
export interface Option<A> {
  /** For the help. */
  readonly description: string;
  /** Stands for the value in the help; a flag has none. */
  readonly placeholder: string | undefined;
  readonly isRequired: boolean;
  /** Whether it may be given several times. */
  readonly isRepeatable?: boolean;
  /** Whether it may stand without its value. A value is then attached: `--decimal=comma`. */
  readonly isValueOptional?: boolean;
  readonly parse: (argument: Argument) => Parsed<A>;
}

type Options = Readonly<Record<string, Option<unknown>>>;

/** The parsed values, by the names of the options. */
type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer A> ? A : never;
};

/** An option without a value. */
export const flag = (description: string): Option<boolean> => ({
  description,
  placeholder: undefined,
  isRequired: false,
  parse: (argument) => ({ value: argument === true }),
});

/** @returns undefined when the text is invalid */
type Parse<A> = (text: string) => A | undefined;

interface ValueOptions<A> {
  readonly description: string;
  /** What a valid value is, where the placeholder does not show it. */
  readonly expects?: string;
  /** Validates the text first. Its message states what is wrong. */
  readonly rule?: Rule<string>;
  readonly parse: Parse<A>;
}

/** An optional value. */
export const value = <A>(placeholder: string, options: ValueOptions<A>): Option<A | undefined> => ({
  description: options.description,
  placeholder,
  isRequired: false,
  parse: (argument) =>
    argument === undefined ? { value: undefined } : parseValue(options, argument, placeholder),
});

/** An option whose value may be omitted, which counts as true. */
export const optionalValue = <A>(
  placeholder: string,
  options: ValueOptions<A>,
): Option<A | true | undefined> => ({
  ...value(placeholder, options),
  isValueOptional: true,
  parse: (argument) =>
    argument === undefined || argument === true
      ? { value: argument }
      : parseValue(options, argument, placeholder),
});

/** An optional value that can be repeated. */
export const list = <A>(placeholder: string, options: ValueOptions<A>): Option<readonly A[]> => ({
  description: options.description,
  placeholder,
  isRequired: false,
  isRepeatable: true,
  parse: (argument) => {
    const values: A[] = [];
    for (const text of [argument ?? []].flat()) {
      const parsed = parseValue(options, text, placeholder);
      if ('error' in parsed) return parsed;
      values.push(parsed.value);
    }
    return { value: values };
  },
});

/** A required value. */
export const required = <A>(placeholder: string, options: ValueOptions<A>): Option<A> => ({
  description: options.description,
  placeholder,
  isRequired: true,
  parse: (argument) =>
    argument === undefined ? { error: 'is required' } : parseValue(options, argument, placeholder),
});

const parseValue = <A>(
  { parse, expects, rule }: ValueOptions<A>,
  argument: Exclude<Argument, undefined>,
  placeholder: string,
): Parsed<A> => {
  if (argument === '') return { error: 'must not be empty' };
  const violation = typeof argument === 'string' ? rule?.violation(argument) : undefined;
  if (violation !== undefined) return { error: violation };
  const value = typeof argument === 'string' ? parse(argument) : undefined;
  return value === undefined ? { error: `must be ${expects ?? placeholder}` } : { value };
};

/** Accepts any text but an empty one. */
export const nonEmpty: Parse<string> = (text) => (text === '' ? undefined : text);

/** `fromLine` as it is written on a command line: `--from-line`. */
export const optionName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The exit code; without one the command has succeeded. */
type Outcome = Promise<ExitCode> | Promise<void>;

/** A command, declared once: its help and its argument parser are derived from the declaration. */
export interface Command {
  /** One or two words. */
  readonly name: string;
  /** One sentence for the list of commands. */
  readonly description: string;
  /** Further paragraphs of the help. */
  readonly details: readonly string[];
  /** Whether it changes neither the database nor a file. */
  readonly isReadOnly: boolean;
  /** In the order of their positions; optional ones come last. */
  readonly operands: Options;
  readonly options: Options;
  readonly run: (values: Readonly<Record<string, unknown>>, terminal: Terminal) => Outcome;
}

interface CommandOptions<P extends Options, O extends Options> {
  readonly name: string;
  readonly description: string;
  readonly details?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly operands?: P;
  readonly options?: O;
  readonly run: (values: ValuesOf<P> & ValuesOf<O>, terminal: Terminal) => Outcome;
}

type None = Readonly<Record<never, never>>;

/**
 * Declares a command. Its line in `bootstrap/cli/commands/all.ts` makes it known.
 * @example
 * import { command, flag, nonEmpty, required } from '#bootstrap/cli/framework/command.ts';
 *
 * export const greet = command({
 *   name: 'greet',
 *   description: 'Print a greeting.',
 *   isReadOnly: true,
 *   operands: { name: required('NAME', { description: 'Who is greeted.', parse: nonEmpty }) },
 *   options: { loud: flag('Print it in capitals.') },
 *   run: ({ name, loud }, terminal) => terminal.print(`Hello ${loud ? name.toUpperCase() : name}\n`),
 * });
 */
export const command = <P extends Options = None, O extends Options = None>({
  run,
  ...declared
}: CommandOptions<P, O>): Command => ({
  details: [],
  isReadOnly: false,
  operands: {},
  options: {},
  ...declared,
  // Sound: the values were parsed by the options declared here.
  run: (values, terminal) => run(values as ValuesOf<P> & ValuesOf<O>, terminal),
});

/** Commands by name, each loaded only when it is used. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;
