import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { keptFileOf } from '../../composition/ports/store-kind.ts';
import type { Database } from '../../config/database.ts';

const node = findingsFor('node');
const disk = findingsFor('disk');
const time = findingsFor('time');

const minNodeMajor = 24;

export const checkNode = (version = process.versions.node): Finding =>
  Number.parseInt(version, 10) >= minNodeMajor
    ? node.ok(`Node ${version} is supported`)
    : node.fail(
        `Node ${version} is too old`,
        `Run npm ci, which installs Node ${minNodeMajor}, and start Portico with npm.`,
      );

const bytesPerMebibyte = 1024 * 1024;

const minFreeBytes = 512 * bytesPerMebibyte;

/** Whether the file of the database, if it is one, is writable and has room to grow. */
export const checkDisk = async (database: Database): Promise<readonly Finding[]> => {
  const file = keptFileOf(database);
  if (file === undefined) return [];
  const folder = await nearestExisting(dirname(resolve(file)));
  const readOnly = (await isReadOnly(folder)) ? folder : (await isReadOnly(file)) ? file : undefined;
  if (readOnly !== undefined) {
    const remedy =
      'Give the user that runs Portico permission to write there, or set DATABASE_URL to another file.';
    return [disk.fail(`${readOnly} is not writable`, remedy)];
  }
  const { type, bavail, bsize } = await statfs(folder);
  if (kernelFileSystems.has(type)) {
    return [disk.fail(`${folder} cannot hold a database`, 'Set DATABASE_URL to a file elsewhere.')];
  }
  const free = `${Math.floor((bavail * bsize) / bytesPerMebibyte).toLocaleString('en')} MiB free`;
  if (bavail * bsize >= minFreeBytes) return [disk.ok(`${folder} is writable and has ${free}`)];
  const remedy = 'Free some space: when the disk is full, Portico rejects every change.';
  return [disk.warn(`${folder} has only ${free}`, remedy)];
};

/** The magic numbers of procfs and sysfs, whose folders seem writable to root but hold no files. */
const kernelFileSystems: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

/** The folder itself, or its nearest ancestor that exists: a start creates the folders below. */
const nearestExisting = async (folder: string): Promise<string> => {
  if (dirname(folder) === folder || (await canAccess(folder, constants.F_OK))) return folder;
  return nearestExisting(dirname(folder));
};

const isReadOnly = async (path: string): Promise<boolean> =>
  (await canAccess(path, constants.F_OK)) && !(await canAccess(path, constants.W_OK));

const canAccess = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

const timedatectlTimeoutMs = 2_000;

/** Whether this machine synchronizes its clock, as far as systemd knows. Other systems report nothing. */
export const checkMachineClock = async (): Promise<readonly Finding[]> => {
  const arguments_ = ['show', '--property=NTPSynchronized', '--value'];
  try {
    const { stdout } = await promisify(execFile)('timedatectl', arguments_, {
      timeout: timedatectlTimeoutMs,
    });
    if (stdout.trim() === 'yes') return [time.ok('this machine synchronizes its clock')];
    const remedy =
      'Run timedatectl set-ntp true. Expiry, rate limits and signatures of tokens depend on the time.';
    return [time.warn('this machine does not synchronize its clock', remedy)];
  } catch {
    return [time.ok('the host synchronizes the clock, or nothing does: timedatectl does not answer here')];
  }
};
