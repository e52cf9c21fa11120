/** How a language writes JSON values. */
export interface Syntax {
  readonly indent: string;
  readonly key: (name: string) => string;
  readonly text: (text: string) => string;
  /** The words for null, true and false, where they are others than those of JSON. */
  readonly words?: Readonly<Record<string, string>>;
  /** Whether a comma follows the last of several lines. */
  readonly hasTrailingComma: boolean;
  /** What stands beside the braces of an object on one line. */
  readonly space: '' | ' ';
}

/** An object or list of this many characters and fewer stays on one line. */
const maxLineLength = 60;

/** Writes a JSON value, over several lines where it is long. */
export const writeValue = (value: unknown, syntax: Syntax, indent = ''): string => {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object' || value === null) {
    const word = JSON.stringify(value) ?? 'null';
    return syntax.words?.[word] ?? word;
  }
  const inner = indent + syntax.indent;
  const lines = Array.isArray(value)
    ? value.map((item: unknown) => writeValue(item, syntax, inner))
    : Object.entries(value).map(([name, item]) => `${syntax.key(name)}: ${writeValue(item, syntax, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (lines.length === 0) return `${open}${close}`;
  const line = lines.join(', ');
  if (line.length > maxLineLength || line.includes('\n')) return block(open, lines, close, syntax, indent);
  const space = Array.isArray(value) ? '' : syntax.space;
  return `${open}${space}${line}${space}${close}`;
};

/** Lines between brackets, each with one more indent. */
export const block = (
  open: string,
  lines: readonly string[],
  close: string,
  { indent: step, hasTrailingComma }: Pick<Syntax, 'indent' | 'hasTrailingComma'>,
  indent = '',
): string => {
  const inner = lines.map((line) => `${indent}${step}${line}`).join(',\n');
  return `${open}\n${inner}${hasTrailingComma ? ',' : ''}\n${indent}${close}`;
};

/** Signs that show nothing, or change the direction of what follows, so that a reader would see another text than is sent. */
const invisible = /[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text in double quotes, as JSON and Python read it. Invisible signs are escaped. */
export const doubleQuoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    invisible,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A text in single quotes, as JavaScript reads it. */
export const singleQuoted = (text: string): string => {
  const inner = doubleQuoted(text).slice(1, -1);
  const requoted = inner.replaceAll(/\\.|'/g, (sign) => ({ '\\"': '"', "'": "\\'" })[sign] ?? sign);
  return `'${requoted}'`;
};
