import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../lab/program.ts';

const execute = promisify(execFile);

const git = async (...args: readonly string[]): Promise<string> =>
  (await execute('git', ['-C', root, ...args])).stdout.trim();

/** A working copy of an earlier commit. */
interface EarlierCommit {
  readonly folder: string;
  readonly commit: string;
}

/**
 * Extracts an earlier commit into a temporary folder, with packages of its own where they are others.
 * @param given undefined for the commit at which docs/benchmarks was measured
 */
export const extractCommit = async (
  given: string | undefined,
  cleanUp: AsyncDisposableStack,
): Promise<EarlierCommit> => {
  const measuredAt = () => git('log', '-1', '--format=%H', '--', 'docs/benchmarks/results.json');
  const commit = await git('rev-parse', '--verify', `${given ?? (await measuredAt())}^{commit}`);
  const folder = await mkdtemp(join(tmpdir(), 'portico-earlier-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const archive = join(folder, 'archive.tar');
  await git('archive', '--output', archive, commit);
  await execute('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  const lock = (of: string): Promise<string> => readFile(join(of, 'package-lock.json'), 'utf8');
  if ((await lock(folder)) === (await lock(root)))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else await execute('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  return { folder, commit };
};
