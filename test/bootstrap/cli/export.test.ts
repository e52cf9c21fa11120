import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  createReadStream,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { type Ended, ending, portico, runHere } from '../support/portico.ts';

describe('An export', function () {
  this.timeout(90_000);
  const place = temporaryFolder();
  const exporting = (file: string): Promise<Ended> => runHere(['export', 'products', file], settings);
  const exportingApart = (file: string): Promise<Ended> =>
    ending(portico(['export', 'products', file], { settings }));
  let settings: Readonly<Record<string, string>>;
  let whole: string;

  before(async () => {
    settings = { DATABASE_URL: `sqlite:${place('portico.db')}` };
    await runHere(['seed', '--products', '3', '--quiet'], settings);
    whole = (await exportingApart('-')).output;
    expect(whole.split('\n')).to.have.lengthOf(4);
  });

  it('writes to the target of a symbolic link, and keeps the link', async () => {
    writeFileSync(place('real.jsonl'), 'before');
    symlinkSync('real.jsonl', place('link.jsonl'));
    symlinkSync('new.jsonl', place('nowhere.jsonl'));
    for (const name of ['link.jsonl', 'nowhere.jsonl']) {
      expect(await exporting(place(name))).to.include({ code: 0, errors: 'Exported 3 products.\n' });
      expect(lstatSync(place(name)).isSymbolicLink()).to.equal(true);
      expect(readFileSync(place(name), 'utf8')).to.equal(whole);
    }
  });

  it('writes no workbook, unless a format is named', async () => {
    for (const name of ['a.xlsx', 'a.XLS', 'a.ods']) {
      expect(await exporting(place(name))).to.deep.equal({
        code: 2,
        output: '',
        errors:
          'portico: An export writes no workbook. Name a file that ends in .csv, and add --bom for Excel.\n',
      });
    }
    const words = ['export', 'products', place('a.xlsx'), '--format', 'csv'];
    expect(await runHere(words, settings)).to.include({ code: 0 });
  });

  it('writes to a named pipe and to a device', async () => {
    execFileSync('mkfifo', [place('pipe')]);
    const reading = text(createReadStream(place('pipe')));
    expect(await exporting(place('pipe'))).to.include({ code: 0, errors: 'Exported 3 products.\n' });
    expect(await reading).to.equal(whole);
    expect(statSync(place('pipe')).isFIFO()).to.equal(true);
    symlinkSync('/dev/null', place('null'));
    expect((await exporting(place('null'))).code).to.equal(0);
    expect(statSync('/dev/null').isCharacterDevice()).to.equal(true);
    expect((await exportingApart('/dev/stdout')).output).to.equal(whole);
  });

  it('removes what a killed export has left, and nothing of one that runs', async () => {
    const many = { DATABASE_URL: `sqlite:${place('many.db')}` };
    await runHere(['seed', '--products', '20000', '--quiet'], many);
    mkdirSync(place('exports'));
    const exports = () => readdirSync(place('exports'));
    const begin = async (name: string) => {
      const program = portico(['export', 'products', place('exports', name)], { settings: many });
      await until(async () => exports().some((other) => other.startsWith(`${name}.${program.id}-`)), Boolean);
      program.signal('SIGSTOP');
      return program;
    };
    const [monday, tuesday] = [await begin('monday.csv'), await begin('tuesday.csv')];
    await monday.kill();
    const running = exports().filter((name) => name.startsWith('tuesday.csv'));
    expect(exports()).to.have.lengthOf(2);
    // The same file, which the export that has stopped replaces afterwards.
    expect((await runHere(['export', 'products', place('exports', 'tuesday.csv')], many)).code).to.equal(0);
    expect(exports()).to.have.members([...running, 'tuesday.csv']);
    const complete = readFileSync(place('exports', 'tuesday.csv'), 'utf8');
    tuesday.signal('SIGCONT');
    expect(await tuesday.ended()).to.equal(0);
    expect(exports()).to.deep.equal(['tuesday.csv']);
    expect(readFileSync(place('exports', 'tuesday.csv'), 'utf8')).to.equal(complete);
  });

  it('keeps the permissions of the file that it replaces', async () => {
    writeFileSync(place('secret.jsonl'), 'before');
    chmodSync(place('secret.jsonl'), 0o600);
    expect((await exporting(place('secret.jsonl'))).code).to.equal(0);
    expect(statSync(place('secret.jsonl')).mode & 0o777).to.equal(0o600);
    expect(readFileSync(place('secret.jsonl'), 'utf8')).to.equal(whole);
  });

  it('reports in one line why it cannot write, and leaves no temporary file', async () => {
    mkdirSync(place('folder'));
    const folder = await exporting(place('folder'));
    expect(folder).to.deep.equal({
      code: 2,
      output: '',
      errors: `portico: ${place('folder')} is a folder. Name a file.\n`,
    });
    const nowhere = place('not', 'there.jsonl');
    const errors = `portico: ${nowhere} cannot be used: no such file or directory (ENOENT).\n`;
    expect(await exporting(nowhere)).to.deep.equal({ code: 1, output: '', errors });
    expect(readdirSync(place()).filter((name) => name.endsWith('.unfinished'))).to.deep.equal([]);
  });
});
