import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { buildPackage, installPackage, root } from '../support/installed-package.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { needsProject, projectScript, stepsOf } from './guide.ts';

const { PATH = '' } = process.env;
const mark = '--- the next block ---';

/** A test in the report of `node --test`, with its duration in milliseconds. */
const passed = /^✔ (.+) \(([\d.]+)ms\)$/gm;

/** What is far from a few milliseconds for a test of a rule, and how often it is repeated on a busy machine. */
const [maxMs, attempts] = [100, 5];

describe('A guide with a project of its own', function () {
  // A guide runs the whole conformance kit on a store of its own, and browsers keep the machine busy meanwhile.
  this.timeout(400_000);
  const folder = temporaryFolder();
  let tarball: string;
  before(async () => {
    tarball = await buildPackage(folder('package'));
  });

  /** Runs a script in a shell, and ends everything that it has started. @throws with what it has printed when it fails */
  const run = async (project: string, script: string, port = 0): Promise<string> => {
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: project,
      env: {
        HOME: project,
        PATH: [dirname(process.execPath), PATH].join(delimiter),
        ...{ PORT: `${port}`, OPS_PORT: '0', SHUTDOWN_DRAIN_MS: '0' },
      },
      detached: true,
    });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      shell[name].on('data', (text: Buffer) => {
        printed[name] += text;
      });
    const [code] = await once(shell, 'exit');
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch (error) {
      // Nothing that it has started is left.
      expect(error).to.include({ code: 'ESRCH' });
    }
    if (code !== 0) throw new Error(`${printed.stdout}\n${printed.stderr}`);
    return printed.stdout;
  };

  for (const file of globSync(join(root, 'docs/guides/*.md')).toSorted()) {
    const markdown = readFileSync(file, 'utf8');
    if (!needsProject(markdown)) continue;
    const name = basename(file, '.md');

    describe(name, () => {
      const project = (): string => folder(name);
      before(async () => {
        await installPackage(tarball, project());
        for (const peer of ['chai', 'fast-check']) {
          if (markdown.includes(peer))
            await symlink(join(root, 'node_modules', peer), join(project(), 'node_modules', peer));
        }
      });

      it('does what it shows, pasted block by block', async () => {
        const port = await freePort();
        const ownPort = await freePort();
        const text = markdown.replaceAll(':3000', `:${port}`).replaceAll('4010', `${ownPort}`);
        const script = projectScript(text, mark);
        const outputs = (await run(project(), script, port)).split(`${mark}\n`);
        const steps = stepsOf(markdown).filter(({ notRun }) => notRun === undefined);
        for (const [place, { command, expected }] of steps.entries()) {
          if (expected) expect(outputs[place]?.trim(), command).to.match(expected);
        }
      });

      if (!markdown.includes('json tsconfig.json')) return;
      it('has types that hold without skipLibCheck, and with a bundler', async () => {
        const bundler = '--module esnext --moduleResolution bundler';
        for (const options of ['', bundler])
          await run(project(), `node_modules/.bin/tsc --skipLibCheck false ${options}`);
      });

      if (!markdown.includes('portico/testing')) return;
      it(`tests each rule in less than ${maxMs} ms`, async () => {
        let slow: readonly string[] = ['no test'];
        for (let attempt = 0; attempt < attempts && slow.length > 0; attempt += 1) {
          const report = await run(project(), 'node --test --test-reporter=spec');
          const tests = [...report.matchAll(passed)];
          expect(tests.length).to.be.greaterThan(0);
          slow = tests.filter(([, , took]) => Number(took) >= maxMs).map(([line]) => line);
        }
        expect(slow).to.deep.equal([]);
      });
    });
  }
});
