import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { commands } from '#bootstrap/cli/commands/all.ts';
import { type Command, type Option, optionName } from '#bootstrap/cli/framework/command.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

/** Ends a command that goes on behind its command line with exit code 1. */
const settings = { DATABASE_URL: 'mysql:' };

const id = '01a4b1cf-5d0c-7000-8000-000000000000';
const long = 'x'.repeat(256);

/** Values that are valid, for what a command requires. */
const valid: Readonly<Record<string, string>> = {
  ...{ FILE: 'x', ID: id, ENDPOINT: id, MODULE: './x.ts' },
  ...{ '--email': 'ada@example.com', '--name': 'Ada', '--products': '5' },
};

/** What is no value of an option or operand. Any text but an empty one names a file or a module, or is searched for. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  ...{ FILE: [''], MODULE: [''], '--only': [''], '--backups': [''] },
  'keys update ID': ['7', id.slice(1)],
  '--rate-limit': ['0', '-1', '1.5', '1000001', '1e3', 'usual', ''],
  'keys revoke ID': ['7', `${id}0`, id.slice(1), 'operator@localhost'],
  'payments settle ID': ['pi_1', id.replaceAll('-', '')],
  '--email': ['ada', 'ada@', '@example.com', 'ada@example.com, bob@example.com', ''],
  '--name': ['', long, '\ud800'],
  '--role': ['root', 'Admin', 'admin,staff', ''],
  '--user': ['ada', id.slice(1), 'ada @example.com', ''],
  '--scopes': ['products', 'products:read;orders:read', 'products:read,', '*', ''],
  '--expires': ['soon', '90', '90 d', '1w', '-1d', '2027-02-30', '30.06.2027', '2027-06-30 12:00', ''],
  '--succeeded': ['', long],
  '--movement': ['', long],
  '--amount': ['-1', '1.5', '1e3', 'all', '9007199254740993', ''],
  '--format': ['xml', 'CSV', 'csv,jsonl', ''],
  '--preset': ['magento', 'Shopify', ''],
  '--status': ['open', 'Paid', 'paid,pending', ''],
  '--limit': ['0', '-1', '10001', '1.5', 'all', ''],
  '--external-id': ['', 'x'.repeat(129), 'order 7', '\u00e9'],
  '--number': ['', '7', '7K3M-9QXA', '7K3M-9QXA-2DFEE', id],
  '--created-from': ['', 'today', '2026-03-01', '2026-03-01T00:00:00', '2026-02-30T00:00:00Z'],
  '--created-before': ['', '0', '2026-03', '2026-03-01 00:00', '2026-03-01T24:00:00Z'],
  '--paid-from': ['', 'today', '2026-03-01', '2026-02-30T00:00:00Z'],
  '--paid-before': ['', '0', '2026-03', '2026-03-01T24:00:00Z'],
  '--after': ['last', '7', id.slice(1), ''],
  '--proxy-timeout': ['30', 'soon', '-1s', '1.5s', '1h', ''],
  '--kind': ['stores', 'Store', ''],
  '--map': ['price', '=price', ''],
  '--currency': ['EURO', 'XYZ', '€', '978', ''],
  '--decimal': ['semicolon', ',', ''],
  '--encoding': ['ansi?', 'utf-9', ''],
  '--from-line': ['0', '-1', '1.5', '1e3', '0x10', ' 2', 'two', '9007199254740993', ''],
  '--forward': [
    'localhost:4000',
    'ftp://localhost/',
    'http://',
    'http://a:b@localhost/',
    'http://:b@localhost/',
    'http://localhost:0/',
    '',
  ],
  '--types': ['order', 'order.*,', 'order.paid;order.created', ''],
  '--secret': ['whsec_', 'a', `whsec_${'A'.repeat(31)}`, `whsec_${'A'.repeat(92)}`, ''],
  ENDPOINT: ['7', id.slice(1), `${id}0`],
  '--type': ['order', 'order.*', 'order.paid,order.created', ''],
  '--from': ['-1', '1.5', '1e3', 'first', ''],
  '--since': ['', 'today', '2026-03-01 00:00', '2026-02-30T00:00:00Z'],
  '--products': ['0', '-5', '10000001', '1,000', '5.0', 'many', ''],
};

interface Parameter {
  readonly command: Command;
  readonly label: string;
  readonly option: Option<unknown>;
  readonly isOperand: boolean;
}

const parametersOf = (command: Command): readonly Parameter[] => [
  ...Object.values(command.operands).map((option) => ({
    ...{ command, option, isOperand: true },
    label: option.placeholder ?? '',
  })),
  ...Object.entries(command.options).map(([name, option]) => ({
    ...{ command, option, isOperand: false },
    label: optionName(name),
  })),
];

/** A command line with all that the command requires, and one value of our own. */
const lineWith = (parameter: Parameter, value: string): string[] => {
  const words = parametersOf(parameter.command).flatMap(({ label, option, isOperand }) => {
    const given = label === parameter.label ? value : option.isRequired ? valid[label] : undefined;
    if (given === undefined) return [];
    return [isOperand ? given : `${label}=${given}`];
  });
  return [...parameter.command.name.split(' '), ...words];
};

describe('The exit code', () => {
  let everyCommand: readonly Command[];
  before(async () => {
    everyCommand = await Promise.all(Object.values(commands).map((load) => load()));
  });

  const folder = temporaryFolder();

  it('is 2 for a wrong value of each option and operand, which is named', async () => {
    for (const parameter of everyCommand.flatMap(parametersOf)) {
      const { command, label, option } = parameter;
      if (option.placeholder === undefined) continue;
      const values = wrong[`${command.name} ${label}`] ?? wrong[label] ?? [];
      expect(values, `wrong values of ${label} of ${command.name}`).to.not.have.lengthOf(0);
      for (const value of values) {
        const line = lineWith(parameter, value);
        const { code, output, errors } = await runHere(line, settings);
        expect([code, output], line.join(' ')).to.deep.equal([2, '']);
        expect(errors, line.join(' ')).to.match(new RegExp(`^portico: ${label} must [^\\n]+\\.\\n$`));
      }
    }
  });

  it('is 2 for an unknown option and a surplus argument of each command', async () => {
    for (const command of everyCommand) {
      const required = lineWith(
        { command, label: '', option: { isRequired: false } as never, isOperand: false },
        '',
      );
      const surplus = Object.keys(command.operands).map(() => 'x');
      for (const words of [['--frobnicate'], [...surplus, 'y']]) {
        const line = [...required, ...words];
        const { code, errors } = await runHere(line, settings);
        expect([code, errors.match(/\n/g)], line.join(' ')).to.deep.equal([2, ['\n']]);
      }
    }
  });

  it('is 2 for options that do not belong together', async () => {
    const lines = [
      ['keys', 'create'],
      ['keys', 'create', '--admin', '--user', 'ada@example.com'],
      ['payments', 'settle', id, '--failed', '--succeeded', 'pi_1'],
      ['payments', 'settle', id, '--failed', '--movement', 're_1', '--amount', '1'],
      ['payments', 'settle', id, '--movement', 're_1'],
      ['payments', 'settle', id, '--amount', '1'],
      ['export', 'products', '--bom'],
      ['import', 'products', 'x', '--preset', 'shopify', '--decimal'],
      ['import', 'products', 'x.jsonl', '--currency', 'EUR'],
    ];
    for (const words of lines) {
      expect((await runHere(words, settings)).code, words.join(' ')).to.equal(2);
    }
  });

  it('is 2 for a value that belongs behind an equals sign', async () => {
    const { code, errors } = await runHere(['import', 'products', 'x.csv', '--decimal', 'comma'], settings);
    expect([code, errors]).to.deep.equal([2, 'portico: Write --decimal=comma instead of --decimal comma.\n']);
  });

  it('is 2 for a folder in place of a file, and 1 for a file that is missing', async () => {
    const open = { DATABASE_URL: `sqlite:${folder('shop.db')}` };
    mkdirSync(folder('folder'));
    const place = folder('folder');
    for (const words of [
      ['import', 'products', place],
      ['restore', place],
      ['openapi', place],
    ]) {
      const { code, errors } = await runHere(words, open);
      expect([code, errors], words.join(' ')).to.deep.equal([
        2,
        `portico: ${place} is a folder. Name a file.\n`,
      ]);
    }
    const missing = folder('missing');
    for (const words of [
      ['import', 'products', missing],
      ['restore', missing],
    ]) {
      const { code, errors } = await runHere(words, open);
      expect([code, errors], words.join(' ')).to.deep.equal([
        1,
        `portico: ${missing} cannot be used: no such file or directory (ENOENT).\n`,
      ]);
    }
  });
});
