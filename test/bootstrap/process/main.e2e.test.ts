import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { expect } from 'chai';
import { Program } from '../../lab/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { leave, occupy, portOf } from '../support/ports.ts';

const usual = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', SHUTDOWN_DRAIN_MS: '0' };

describe('The program', function () {
  this.timeout(240_000);
  const place = temporaryFolder();
  const running: Program[] = [];
  const run = (environment: Readonly<Record<string, string>>, folder?: string): Program => {
    const program = new Program('bootstrap/main.mjs', { environment: { ...usual, ...environment }, folder });
    running.push(program);
    return program;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((program) => program.kill()));
    await leave(taken);
  });
  let taken: Server;
  beforeEach(async () => {
    taken = await occupy();
  });

  it('prints where it serves, responds there, and exits with 0 on SIGTERM', async () => {
    const quiet = { LOG_LEVEL: 'warn' };
    const programs = [run(quiet), run(quiet)] as const;
    for (const program of programs) {
      const [, url] = await program.printed(/^Portico serves (http:\S+)\/v1\n/);
      expect((await fetch(`${url}/v1/products`)).status).to.equal(401);
    }
    programs[0].signal('SIGTERM');
    programs[1].signal('SIGINT');
    expect(await Promise.all(programs.map((program) => program.ended()))).to.deep.equal([0, 0]);
    expect(programs.map(({ errors }) => errors)).to.deep.equal(['', '']);
  });

  it('creates the demonstration only when it can serve, so that its keys are shown', async () => {
    const settings = { DATABASE_URL: `sqlite:${place('demo.db')}`, SEED_DEMO: '1' };
    for (const name of ['PORT', 'OPS_PORT']) {
      const failed = run({ ...settings, [name]: `${portOf(taken)}` });
      expect(await failed.ended()).to.equal(1);
      expect(failed.errors).to.match(new RegExp(`^portico: ${name} ${portOf(taken)} is taken: .*\n$`));
    }
    const serving = run(settings);
    await serving.printed(/\nTry it:\n/);
    expect(serving.output).to.match(/^ {2}admin +ptc_\S+$/m);
  });

  it('reads settings from .env in its working directory, and the environment overrides them', async () => {
    // Editors on Windows put a byte-order mark in front.
    await writeFile(place('.env'), '\ufeffRATE_LIMIT_MAX=many\r\nLOG_LEVEL=loud\r\n');
    const told = run({}, place());
    const toldBetter = run({ RATE_LIMIT_MAX: '5' }, place());
    expect([await told.ended(), await toldBetter.ended()]).to.deep.equal([1, 1]);
    expect(told.errors).to.match(/^portico: RATE_LIMIT_MAX must /);
    expect(toldBetter.errors).to.match(/^portico: LOG_LEVEL must /);
  });

  it('reports that .env is a folder, which Docker creates for a missing file', async () => {
    await mkdir(place('mounted', '.env'), { recursive: true });
    const program = run({}, place('mounted'));
    expect(await program.ended()).to.equal(1);
    expect(program.errors).to.match(/^portico: \.env must be a file [^\n]+\n$/);
  });

  it('prints only one line that names the setting when it cannot start', async () => {
    for (const [environment, expected] of [
      [{ RATE_LIMIT_MAX: 'many' }, /^portico: RATE_LIMIT_MAX must be a whole number from 1 to \d+\.$/],
      [{ PORT: `${portOf(taken)}` }, /^portico: PORT \d+ is taken: .* \(EADDRINUSE\)\.$/],
      [{ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/a' }, /^portico: DATABASE_URL .* cannot be used: /],
    ] as const) {
      const program = run(environment);
      expect(await program.ended(), JSON.stringify(environment)).to.equal(1);
      expect(program.errors, JSON.stringify(environment)).to.match(/^[^\n]+\n$/);
      expect(program.errors.trimEnd()).to.match(expected).and.not.include('secret');
      expect(program.output).to.equal('');
    }
  });
});
