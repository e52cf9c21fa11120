import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Ended, runHere } from '../support/portico.ts';

describe('An export', () => {
  const place = temporaryFolder();
  const exporting = (file: string): Promise<Ended> => runHere(['export', 'products', file], settings);
  let settings: Readonly<Record<string, string>>;
  let whole: string;

  before(async () => {
    settings = { DATABASE_URL: `sqlite:${place('portico.db')}` };
    await runHere(['seed', '--products', '3', '--quiet'], settings);
    whole = (await exporting('-')).output;
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

  it('writes to a device', async () => {
    symlinkSync('/dev/null', place('null'));
    expect((await exporting(place('null'))).code).to.equal(0);
    expect(statSync('/dev/null').isCharacterDevice()).to.equal(true);
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
