/** A fault, planted by replacing one text of one file. */
export interface Fault {
  readonly name: string;
  readonly file: string;
  /** Must stand in the file exactly once. */
  readonly text: string;
  readonly replacement: string;
}

/** @returns the source with the fault in it. @throws unless its text stands there exactly once */
export const plant = ({ name, file, text, replacement }: Fault, source: string): string => {
  const [before = '', after = '', ...more] = source.split(text);
  const count = source.split(text).length - 1;
  if (count !== 1 || more.length > 0) {
    throw new Error(`The text of the mutant "${name}" stands in ${file} ${count} times, not once.`);
  }
  return before + replacement + after;
};
