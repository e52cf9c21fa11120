import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { root } from '../lab/program.ts';
import { atExit } from '../support/at-exit.ts';
import { installPackage } from '../support/installed-package.ts';

const { PATH = '' } = process.env;

/** Libraries that guides add. */
const libraries = ['chai', 'fast-check', 'nodemailer', 'smtp-server'];

/** The folder whose files a guide has its reader copy. */
const copiedExample = /^\$ cp \.\.\/portico\/(docs\/examples\/\w+)\/\*\.ts \.$/m;

/** Installs the package, and what a guide adds by npm or from an example, in a folder. */
export const openProject = async (tarball: string, project: string, markdown: string): Promise<void> => {
  await installPackage(tarball, project);
  for (const library of libraries)
    if (markdown.includes(library))
      await symlink(join(root, 'node_modules', library), join(project, 'node_modules', library));
  const [, example] = copiedExample.exec(markdown) ?? [];
  if (example !== undefined) await cp(join(root, example), project, { recursive: true });
};

/** Runs a script in a shell, and ends everything that it has started. @throws with what it has printed when it fails */
export const runShell = async (project: string, script: string, port = 0, opsPort = 0): Promise<string> => {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: project,
    env: {
      HOME: project,
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      ...{ PORT: `${port}`, OPS_PORT: `${opsPort}`, SHUTDOWN_DRAIN_MS: '0' },
    },
    detached: true,
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    shell[name].on('data', (text: Buffer) => {
      printed[name] += text;
    });
  const killGroup = (): void => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch (error) {
      // Nothing that it has started is left.
      expect(error).to.include({ code: 'ESRCH' });
    }
  };
  const revoke = atExit(killGroup);
  const [code] = await once(shell, 'exit');
  revoke();
  killGroup();
  if (code !== 0) throw new Error(`${printed.stdout}\n${printed.stderr}`);
  return printed.stdout;
};

/** A test that has passed. */
interface PassedTest {
  readonly name: string;
  readonly milliseconds: number;
}

/** Runs the tests of a project. @throws when one fails */
export const testRules = async (project: string): Promise<readonly PassedTest[]> => {
  const report = await runShell(project, 'node --test --test-reporter=spec');
  return [...report.matchAll(/^✔ (.+) \(([\d.]+)ms\)$/gm)].map(([, name = '', took]) => ({
    name,
    milliseconds: Number(took),
  }));
};
