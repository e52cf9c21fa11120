import { mkdirSync, readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { commands } from '#bootstrap/cli/commands/all.ts';
import { run as runCommandLine } from '#bootstrap/cli/framework/run.ts';
import { createTerminal } from '#bootstrap/cli/framework/terminal.ts';
import { served } from '../../http/support/described.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Ended, runHere } from '../support/portico.ts';

/** Runs a command line in this process. */
const run = async (...words: readonly string[]): Promise<Ended> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = createTerminal({
    ...{ stdin: Readable.from([]), stdout, stderr },
    ...{ env: {}, on: () => undefined },
  });
  const code = await runCommandLine(words, { commands, version: '1.2.3', terminal });
  const textOf = (stream: PassThrough): string => stream.read()?.toString() ?? '';
  return { code, output: textOf(stdout), errors: textOf(stderr) };
};

describe('The command line', () => {
  const place = temporaryFolder();

  it('lists the commands without arguments, with the exit code of wrong usage', async () => {
    const { code, output } = await run();
    expect(code).to.equal(2);
    for (const name of Object.keys(commands)) expect(output).to.include(`\n  ${name} `);
    expect(await run('--help')).to.deep.equal({ code: 0, output, errors: '' });
    expect(await run('help')).to.deep.equal({ code: 0, output, errors: '' });
  });

  it('prints its version', async () => {
    expect(await run('--version')).to.deep.equal({ code: 0, output: '1.2.3\n', errors: '' });
  });

  it('prints the help of every command with each of its options, by help, --help and -h', async () => {
    for (const [name, load] of Object.entries(commands)) {
      const declared = await load();
      expect(declared.name).to.equal(name);
      const { code, output, errors } = await run('help', ...name.split(' '));
      expect([code, errors]).to.deep.equal([0, '']);
      expect(output).to.match(new RegExp(`Usage: portico ${name}\\b`));
      const names = Object.keys(declared.options).map((option) => option.replaceAll(/[A-Z]/g, '-$&'));
      for (const option of names) expect(output).to.include(`\n  --${option.toLowerCase()}`);
      if (name === 'keys create') {
        expect((await run(...name.split(' '), '--help')).output).to.equal(output);
        expect((await run(...name.split(' '), '--user', 'ada', '-h')).output).to.equal(output);
      }
    }
    const { code, output } = await run('keys', '--help');
    expect(code).to.equal(0);
    expect(output.match(/^ {2}\S+ \S+/gm)).to.deep.equal([
      '  keys create',
      '  keys list',
      '  keys update',
      '  keys revoke',
    ]);
  });

  const misuses: readonly (readonly [readonly string[], string])[] = [
    [['strat'], 'There is no command strat. Did you mean start?'],
    [['frobnicate'], 'There is no command frobnicate. Run portico help for a list of commands.'],
    [['toString'], 'There is no command toString. Run portico help for a list of commands.'],
    [['kyes', 'list'], 'There is no command kyes. Did you mean keys list?'],
    [['helo'], 'There is no command helo. Did you mean help?'],
    [['bckp'], 'There is no command bckp. Did you mean backup?'],
    [['version'], 'There is no command version. Did you mean --version?'],
    [['--verson'], 'There is no option --verson. Did you mean --version?'],
    [['restart'], 'There is no command restart. Run portico help for a list of commands.'],
    [['list', 'keys'], 'There is no command list. Did you mean keys list?'],
    [['migrate'], 'migrate needs a subcommand: status, up. Did you mean migrate status?'],
    [['migrate', 'run'], 'migrate needs a subcommand: status, up.'],
    [['payments'], 'payments needs a subcommand: settle.'],
    [['users'], 'users needs a subcommand: create, list. Did you mean users list?'],
    [['user', 'list'], 'There is no command user. Did you mean users list?'],
    [['orders', 'lits'], 'orders needs a subcommand: list. Did you mean orders list?'],
    [['keys'], 'keys needs a subcommand: create, list, update, revoke. Did you mean keys list?'],
    [['keys', 'crate'], 'keys needs a subcommand: create, list, update, revoke. Did you mean keys create?'],
    [
      ['help', 'keys', 'crate'],
      'keys needs a subcommand: create, list, update, revoke. Did you mean keys create?',
    ],
    [['keys', 'ls'], 'keys needs a subcommand: create, list, update, revoke. Did you mean keys list?'],
    [['keys', 'list', '--jsn'], 'keys list has no option --jsn. Did you mean --json?'],
    [['keys', 'list', '--JSON'], 'keys list has no option --JSON. Did you mean --json?'],
    [['keys', 'list', '-json'], 'keys list has no option -json. Did you mean --json?'],
    [['keys', 'list', '--helo'], 'keys list has no option --helo. Did you mean --help?'],
    [
      ['import', 'products', 'x', '--enc=latin1'],
      'import products has no option --enc. Did you mean --encoding?',
    ],
    [['keys', 'revok'], 'keys needs a subcommand: create, list, update, revoke. Did you mean keys revoke?'],
    [['help', 'strat'], 'There is no command strat. Did you mean start?'],
    [['keys', 'list', '--usr', 'x'], 'keys list has no option --usr. Did you mean --user?'],
    [['keys', 'list', '-x'], 'keys list has no option -x. Run portico help keys list.'],
    [['keys', 'list', '--json', '--json'], '--json is given twice.'],
    [['keys', 'list', '--json=yes'], '--json takes no value.'],
    [['keys', 'list', '--user', '--json'], '--user needs a value: --user EMAIL|ID.'],
    [['keys', 'list', '--user'], '--user needs a value: --user EMAIL|ID.'],
    [['keys', 'list', 'mine'], 'Unexpected argument mine for keys list. Usage: portico keys list [options]'],
    [['keys', 'revoke'], 'ID is required. Usage: portico keys revoke [options] ID'],
    [['import', 'products', ''], 'FILE must not be empty.'],
    [['keys', 'revoke', 'mine'], 'ID must be the ID of a key, as shown by portico keys list.'],
    [['keys', 'create'], 'keys create requires exactly one of --user and --admin.'],
    [
      ['keys', 'create', '--admin', '--user', 'ada@example.com'],
      'keys create requires exactly one of --user and --admin.',
    ],
    [
      ['users', 'create', '--name', 'Ada'],
      '--email is required. Usage: portico users create --email EMAIL --name NAME [options]',
    ],
    [['export', 'products', '--format', 'xml'], '--format must be one of jsonl, csv.'],
  ];
  it('rejects a command line that is misspelt or incomplete, with the reason', async () => {
    for (const [words, line] of misuses) {
      const ended = await run(...words);
      expect(ended, words.join(' ')).to.deep.equal({ code: 2, output: '', errors: `portico: ${line}\n` });
    }
  });

  it('distinguishes an invalid setting from an invalid command line', async () => {
    const settings = { DATABASE_URL: 'mysql:' };
    const { code, errors } = await runHere(['keys', 'list'], settings);
    expect(code).to.equal(1);
    expect(errors).to.match(/^portico: DATABASE_URL must be .*\n$/);
  });

  it('writes the OpenAPI document without a database', async () => {
    const settings = { DATABASE_URL: 'postgres://ada@127.0.0.1:1/none' };
    const { code, output } = await runHere(['openapi'], settings);
    expect(code).to.equal(0);
    const document = JSON.parse(output);
    expect(document).to.have.property('openapi', '3.1.0');
    expect([document.components, document.webhooks]).to.deep.equal([served.components, served.webhooks]);
    mkdirSync(place('written'));
    const written = await runHere(['openapi', 'a.json'], settings, { folder: place('written') });
    expect(written).to.deep.equal({ code: 0, output: '', errors: 'Wrote a.json.\n' });
    expect(readFileSync(place('written', 'a.json'), 'utf8')).to.equal(output);
  });

  it('uses colours only on a terminal or with FORCE_COLOR', async () => {
    const settings = { DATABASE_URL: `sqlite:${place('none.db')}` };
    const status = async (more: Readonly<Record<string, string>>) =>
      (await runHere(['migrate', 'status'], { ...settings, ...more })).output;
    const plain = await status({});
    expect(plain)
      .to.match(/^pending {2}0001/)
      .and.not.include('\u001b');
    expect(await status({ FORCE_COLOR: '1', NO_COLOR: '1' })).to.equal(plain);
    expect(await status({ FORCE_COLOR: '0' })).to.equal(plain);
    expect(await status({ FORCE_COLOR: '1' })).to.include('\u001b[33mpending\u001b[39m  0001');
  });
});
