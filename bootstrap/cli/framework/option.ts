/** What follows from what was written: a value, or in a few words what is wrong with it. */
type Taken<A> = { readonly value: A } | { readonly fault: string };

/** Something that a command takes: an option, or an operand, which is written without a name. */
export interface Option<A> {
  /** For the help. */
  readonly says: string;
  /** What stands in the help for the value; a switch has none. */
  readonly placeholder: string | undefined;
  readonly isRequired: boolean;
  /** @param written undefined when it was left out */
  readonly take: (written: string | true | undefined) => Taken<A>;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What was given, by the names of the options. */
export type Given<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer A> ? A : never;
};

/** Something that is so when it is written. */
export const flag = (says: string): Option<boolean> => ({
  says,
  placeholder: undefined,
  isRequired: false,
  take: (written) => ({ value: written === true }),
});

/** @param read undefined when the text is none of what the option takes */
type Read<A> = (text: string) => A | undefined;

interface Value<A> {
  readonly says: string;
  /** What it takes, where the placeholder does not say it already. */
  readonly takes?: string;
  readonly read: Read<A>;
}

const taken = <A>({ read, takes }: Value<A>, written: string | true, placeholder: string): Taken<A> => {
  if (written === '') return { fault: 'must not be empty' };
  const value = written === true ? undefined : read(written);
  return value === undefined ? { fault: `takes ${takes ?? placeholder}` } : { value };
};

/** A value that may be left out. */
export const value = <A>(placeholder: string, declared: Value<A>): Option<A | undefined> => ({
  says: declared.says,
  placeholder,
  isRequired: false,
  take: (written) => (written === undefined ? { value: undefined } : taken(declared, written, placeholder)),
});

/** A value that a command cannot do without. */
export const required = <A>(placeholder: string, declared: Value<A>): Option<A> => ({
  says: declared.says,
  placeholder,
  isRequired: true,
  take: (written) => (written === undefined ? { fault: 'is needed' } : taken(declared, written, placeholder)),
});

/** Any text but none. */
export const words: Read<string> = (text) => (text === '' ? undefined : text);
