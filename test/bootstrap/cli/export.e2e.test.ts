import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Ended, ending, portico, runHere } from '../support/portico.ts';

describe('An export as a program', () => {
  const place = temporaryFolder();
  const exporting = (file: string): Promise<Ended> =>
    ending(portico(['export', 'products', file], { settings }));
  let settings: Readonly<Record<string, string>>;
  let whole: string;

  before(async () => {
    settings = { DATABASE_URL: `sqlite:${place('portico.db')}` };
    await runHere(['seed', '--products', '3', '--quiet'], settings);
    whole = (await runHere(['export', 'products', '-'], settings)).output;
    expect(whole.split('\n')).to.have.lengthOf(4);
  });

  it('writes to a named pipe and to its standard output', async () => {
    execFileSync('mkfifo', [place('pipe')]);
    const reading = text(createReadStream(place('pipe')));
    expect(await exporting(place('pipe'))).to.include({ code: 0, errors: 'Exported 3 products.\n' });
    expect(await reading).to.equal(whole);
    expect(statSync(place('pipe')).isFIFO()).to.equal(true);
    expect((await exporting('/dev/stdout')).output).to.equal(whole);
  });

  it('removes what a killed export has left, and nothing of one that runs', async () => {
    const many = { DATABASE_URL: `sqlite:${place('many.db')}` };
    await runHere(['seed', '--products', '20000', '--quiet'], many);
    mkdirSync(place('exports'));
    const exports = () => readdirSync(place('exports'));
    /** Starts an export, and stops it as soon as it has created its unfinished file. */
    const begin = async (name: string) => {
      const watcher = watch(place('exports'));
      const program = portico(['export', 'products', place('exports', name)], { settings: many });
      while (!exports().some((other) => other.startsWith(`${name}.${program.id}-`)))
        await once(watcher, 'change');
      program.signal('SIGSTOP');
      watcher.close();
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
});
