import { type Command, type Option, optionName } from './command.ts';

/** In characters. */
const lineWidth = 100;

/** The help of one command: description, usage, details, operands and options. */
export const renderHelp = (command: Command): string => {
  const rows = [...operandsOf(command), ...optionsOf(command)].map(
    ({ label, option }): Row => [label, option.description],
  );
  return paragraphs([
    wrap(command.description),
    usageOf(command),
    ...command.details.map((text) => wrap(text)),
    renderRows([...rows, ['--help', 'Show this help.']]),
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

/** The list of commands, one line each. */
export const renderOverview = (commands: readonly Command[]): string =>
  paragraphs([
    'Usage: portico <command> [options]',
    renderRows(commands.map(({ name, description }): Row => [name, description])),
    'Run portico help <command> for the options of a command.',
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

const renderRows = (rows: readonly Row[]): string => {
  const indent = Math.max(...rows.map(([label]) => label.length)) + 4;
  return rows
    .map(([label, description]) => `  ${label.padEnd(indent - 2)}${wrap(description, indent)}`)
    .join('\n');
};

/** @param indent of all lines but the first, in characters */
const wrap = (text: string, indent = 0): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > lineWidth) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
};
