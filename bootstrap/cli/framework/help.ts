import { type Command, type Option, optionName } from './command.ts';

/** In characters, in a window that is wide enough. */
const maxLineWidth = 100;

/**
 * The help of one command: description, usage, details, operands and options.
 * @param columns the width of the window, in characters; undefined where that is unknown
 */
export const renderHelp = (command: Command, columns = maxLineWidth): string => {
  const rows = [...operandsOf(command), ...optionsOf(command)].map(
    ({ label, option }): Row => [label, option.description],
  );
  return paragraphs([
    wrap(command.description, columns),
    wrap(usageOf(command), columns),
    ...command.details.map((text) => wrap(text, columns)),
    renderRows([...rows, ['--help', 'Show this help.']], columns),
  ]);
};

/** `Usage: portico keys revoke ID` */
export const usageOf = (command: Command): string => {
  const options = optionsOf(command);
  const required = options.filter(({ option }) => option.isRequired);
  const words = [
    ...['portico', command.name],
    ...required.map(({ label }) => label),
    ...(required.length < options.length ? ['[options]'] : []),
    ...operandsOf(command).map(({ label, option }) => (option.isRequired ? label : `[${label}]`)),
  ];
  return `Usage: ${words.join(' ')}`;
};

/** The list of commands, one line each. @param columns as for `renderHelp` */
export const renderOverview = (commands: readonly Command[], columns = maxLineWidth): string =>
  paragraphs([
    wrap('Usage: portico <command> [options]', columns),
    renderRows(
      commands.map(({ name, description }): Row => [name, description]),
      columns,
    ),
    wrap('Run portico help <command> for the options of a command.', columns),
  ]);

interface Labelled {
  readonly label: string;
  readonly option: Option<unknown>;
}

const operandsOf = ({ operands }: Command): readonly Labelled[] =>
  Object.entries(operands).map(([name, option]) => ({ label: option.placeholder ?? name, option }));

const optionsOf = ({ options }: Command): readonly Labelled[] =>
  Object.entries(options).map(([name, option]) => ({
    label: option.isValueOptional
      ? `${optionName(name)}[=${option.placeholder}]`
      : [optionName(name), option.placeholder ?? []].flat().join(' '),
    option,
  }));

const paragraphs = (texts: readonly string[]): string => `${texts.join('\n\n')}\n`;

type Row = readonly [string, string];

/** How far a description is indented below its label where both do not fit beside each other. */
const narrowIndent = 6;

const renderRows = (rows: readonly Row[], columns: number): string => {
  const indent = Math.max(...rows.map(([label]) => label.length)) + 4;
  if (indent > Math.min(columns, maxLineWidth) / 2) {
    return rows
      .map(([label, text]) => `  ${label}\n${' '.repeat(narrowIndent)}${wrap(text, columns, narrowIndent)}`)
      .join('\n');
  }
  return rows
    .map(([label, text]) => `  ${label.padEnd(indent - 2)}${wrap(text, columns, indent)}`)
    .join('\n');
};

/** @param indent of all lines but the first, in characters */
const wrap = (text: string, columns: number, indent = 0): string => {
  const width = Math.min(columns, maxLineWidth);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
};
