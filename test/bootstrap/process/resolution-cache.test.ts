import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { Program } from '../support/program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Kept {
  readonly installed: string;
  readonly known: Readonly<Record<string, readonly [path: string, format: string]>>;
}

describe('Where modules find each other', () => {
  const inFolder = temporaryFolder();
  const file = inFolder('resolved.json');
  const kept = (): Kept => JSON.parse(readFileSync(file, 'utf8'));
  const nowhere = ({ known }: Kept): Kept['known'] =>
    Object.fromEntries(Object.keys(known).map((key) => [key, ['nowhere.js', 'module']]));

  /** All that the API is, without a port. */
  const describeApi = async (flags: readonly string[] = []): Promise<Program> => {
    const environment = { NODE_COMPILE_CACHE: inFolder('.') };
    const program = new Program('bootstrap/portico.mjs', environment, inFolder('.'), flags, ['openapi']);
    await program.ended();
    return program;
  };

  beforeEach(() => rmSync(file, { force: true }));

  it('is kept by one start for the next', async () => {
    expect((await describeApi()).output).to.include('"openapi"');
    const { known } = kept();
    expect(Object.keys(known)).to.have.length.greaterThan(100);
    expect(known).to.have.property('bootstrap/cli/commands/openapi.ts #adapters/http/versions.ts');
    expect(known).to.have.property('node_modules/koa/lib/application.js require ./context');
    for (const [key, [path]] of Object.entries(known)) {
      expect(existsSync(join(root, path)), key).to.equal(true);
    }
  });

  it('is believed by the next', async () => {
    await describeApi();
    writeFileSync(file, JSON.stringify({ ...kept(), known: nowhere(kept()) }));
    expect((await describeApi()).errors).to.include('nowhere.js');
  });

  it('is forgotten once something has been installed, or when nobody could read it', async () => {
    await describeApi();
    const whole = readFileSync(file, 'utf8');
    for (const other of [JSON.stringify({ installed: 'then', known: nowhere(kept()) }), whole.slice(9)]) {
      writeFileSync(file, other);
      expect((await describeApi()).output).to.include('"openapi"');
      expect(readFileSync(file, 'utf8') === whole).to.equal(true);
    }
  });

  it('is looked for each time where a module says itself where to look', async () => {
    const place = (name: string) => inFolder('elsewhere', name);
    const write = (name: string, text: string) => {
      mkdirSync(dirname(place(name)), { recursive: true });
      writeFileSync(place(name), text);
    };
    write('node_modules/.package-lock.json', '{}');
    write('node_modules/sought/index.js', 'exports.from = "here"');
    write('there/node_modules/sought/index.js', 'exports.from = "there"');
    write('node_modules/plain/index.js', 'exports.from = require("sought").from');
    write(
      'node_modules/choosy/index.js',
      'exports.from = require("sought").from + " and " + require(require.resolve("sought", { paths: [__dirname + "/../../there"] })).from',
    );
    for (const time of ['first', 'second']) {
      const program = new Program('test/bootstrap/process/resolving.mjs', {}, inFolder('elsewhere'));
      await program.ended();
      expect(program.output, `${time}: ${program.errors}`).to.equal('plain: here\nchoosy: here and there\n');
    }
    const { known } = JSON.parse(readFileSync(place('resolved.json'), 'utf8')) as Kept;
    expect(Object.keys(known)).to.deep.equal(['node_modules/plain/index.js require sought']);
  });

  it('is nothing to go by where somebody else may have a say in it', async () => {
    await describeApi();
    writeFileSync(file, JSON.stringify({ ...kept(), known: nowhere(kept()) }));
    for (const flags of [
      ['--import', 'data:text/javascript,'],
      ['--conditions', 'other'],
      ['-C', 'other'],
    ]) {
      expect((await describeApi(flags)).output, flags.join(' ')).to.include('"openapi"');
    }
  });
});
