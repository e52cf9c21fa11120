import type { Command } from './command.ts';
import type { Option } from './option.ts';
import { optionName } from './read-arguments.ts';

const width = 100;

/** Everything that there is to know about one command, made of its declaration. */
export const helpOf = (command: Command): string => {
  const operands = Object.entries(command.operands).map(([name, option]) => ({
    written: option.placeholder ?? name,
    option,
  }));
  const options = Object.entries(command.options).map(([name, option]) => ({
    written: written(name, option),
    option,
  }));
  const usage = [
    'portico',
    command.name,
    ...options.filter(({ option }) => option.isRequired).map((one) => one.written),
    ...(options.some(({ option }) => !option.isRequired) ? ['[options]'] : []),
    ...operands.map((one) => (one.option.isRequired ? one.written : `[${one.written}]`)),
  ];
  const rows = [...operands, ...options].map((one): Row => [one.written, one.option.says]);
  rows.push(['--help', 'Shows this.']);
  return paragraphs([
    wrapped(command.says),
    `Usage: ${usage.join(' ')}`,
    ...command.details.map((text) => wrapped(text)),
    table(rows),
  ]);
};

/** What there is, in a line each. */
export const overview = (commands: readonly Command[]): string =>
  paragraphs([
    'Usage: portico <command> [options]',
    table(commands.map(({ name, says }): Row => [name, says])),
    'portico help <command> says what it takes.',
  ]);

const written = (name: string, { placeholder }: Option<unknown>): string =>
  placeholder === undefined ? optionName(name) : `${optionName(name)} ${placeholder}`;

const paragraphs = (texts: readonly string[]): string => `${texts.join('\n\n')}\n`;

type Row = readonly [string, string];

const table = (rows: readonly Row[]): string => {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.map(([name, says]) => `  ${name.padEnd(indent - 2)}${wrapped(says, indent)}`).join('\n');
};

/** @param indent of every line but the first, which begins there already */
const wrapped = (text: string, indent = 0): string => {
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
