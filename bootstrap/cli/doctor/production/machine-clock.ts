import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Finding, findingsFor } from '../finding.ts';

const { ok, warn } = findingsFor('time');

const timeoutMs = 2_000;

/** Whether this machine synchronizes its clock, as far as systemd knows. Other systems tell nothing. */
export const checkMachineClock = async (): Promise<readonly Finding[]> => {
  const arguments_ = ['show', '--property=NTPSynchronized', '--value'];
  try {
    const { stdout } = await promisify(execFile)('timedatectl', arguments_, { timeout: timeoutMs });
    if (stdout.trim() === 'yes') return [ok('this machine synchronizes its clock')];
    const remedy =
      'Run timedatectl set-ntp true. Expiry, rate limits and signatures of tokens depend on the time.';
    return [warn('this machine does not synchronize its clock', remedy)];
  } catch {
    return [ok('the host synchronizes the clock, or nothing does: timedatectl does not answer here')];
  }
};
