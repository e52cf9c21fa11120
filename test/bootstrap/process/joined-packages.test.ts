import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { joinedIn, joinPackages } from '#bootstrap/process/joined-packages.mjs';
import { temporaryFolder } from '../../support/temporary.ts';
import { Program } from '../support/program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('Packages of many modules', () => {
  const inFolder = temporaryFolder();

  /** Whatever has to do with the database, and which modules asked for others meanwhile. */
  const migrate = async (name: string, flags: readonly string[] = []) => {
    const cache = inFolder(name);
    const environment = { NODE_COMPILE_CACHE: cache, DATABASE_URL: `sqlite:${inFolder(name)}.db` };
    const words = ['migrate', 'up'];
    const program = new Program('bootstrap/portico.mjs', environment, inFolder('.'), flags, words);
    await program.ended();
    const askers = (): readonly string[] =>
      Object.keys(JSON.parse(readFileSync(`${cache}/resolved.json`, 'utf8')).known);
    return { output: program.output, askers };
  };

  it('are loaded joined', async () => {
    const askers = (await migrate('joined')).askers();
    expect(askers.filter((key) => key.startsWith('node_modules/.joined/'))).not.to.deep.equal([]);
    expect(askers.filter((key) => /^node_modules\/(@mikro-orm|kysely)\//.test(key))).to.deep.equal([]);
  });

  it('do the same as one by one, as they are loaded where somebody else may have a say in it', async () => {
    const apart = await migrate('apart', ['--import', 'data:text/javascript,']);
    expect(apart.askers).to.throw('ENOENT');
    expect((await migrate('together')).output)
      .to.equal(apart.output)
      .and.to.match(/^applied/m);
  });

  it('are joined for what is installed now, and not for what was', () => {
    const place = inFolder('other');
    expect(joinedIn(place)).to.deep.equal({});
    const installed = `${place}/node_modules/.package-lock.json`;
    mkdirSync(`${place}/node_modules/.joined/1000`, { recursive: true });
    writeFileSync(installed, '{}');
    utimesSync(installed, 1, 1);
    expect(joinedIn(place)).to.have.property('inversify', `${place}/node_modules/.joined/1000/inversify.mjs`);
    utimesSync(installed, 2, 2);
    expect(joinedIn(place)).to.deep.equal({});
  });

  it('are joined once, by however many at once', async () => {
    const place = inFolder('several');
    mkdirSync(`${place}/node_modules`, { recursive: true });
    writeFileSync(`${place}/node_modules/.package-lock.json`, '{}');
    for (const name of ['@mikro-orm', 'inversify']) {
      symlinkSync(join(root, 'node_modules', name), `${place}/node_modules/${name}`);
    }
    await Promise.all([joinPackages(place), joinPackages(place)]);
    expect(readdirSync(`${place}/node_modules/.joined`)).to.have.length(1);
    const files = Object.values(joinedIn(place));
    expect(files).to.have.length(5);
    expect(files.map((file) => existsSync(file))).to.deep.equal(files.map(() => true));
  });
});
