/** A value in the environment that cannot be used. The message is the one line that the operator reads. */
export class SettingError extends Error {
  constructor(name: string, remedy: string) {
    super(`${name} ${remedy}`);
    this.name = 'SettingError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a setting's text; undefined when it is none of what the setting takes. */
type Read<A> = (text: string) => A | undefined;

/**
 * A setting, or what it is when nobody sets it. An empty value counts as not set.
 * @throws SettingError that says what the setting takes
 */
export const parseSetting = <A, B>(
  environment: Environment,
  name: string,
  takes: string,
  read: Read<A>,
  otherwise: B,
): A | B => {
  const text = environment[name];
  if (text === undefined || text === '') return otherwise;
  const value = read(text);
  if (value === undefined) throw new SettingError(name, `takes ${takes}.`);
  return value;
};

export const anyText: Read<string> = (text) => text;

export const visibleAscii =
  (least: number, most: number): Read<string> =>
  (text) =>
    /^[\x21-\x7e]+$/.test(text) && text.length >= least && text.length <= most ? text : undefined;

export const integerBetween =
  (least: number, most: number): Read<number> =>
  (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  };

export const decimal: Read<number> = (text) =>
  /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;

export const oneOf =
  <const V extends string>(values: readonly V[]): Read<V> =>
  (text) =>
    values.find((value) => value === text);

export const zeroOrOne: Read<boolean> = (text) => (text === '1' ? true : text === '0' ? false : undefined);
