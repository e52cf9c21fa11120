import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const tick = 0.01;

/** Behind the name, which may hold anything: the state is the first. */
const fieldsOf = (id: number | 'self'): readonly string[] => {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // It is gone, or this is no Linux.
    return [];
  }
};

const sum = (fields: readonly string[], places: readonly number[]): number =>
  places.reduce((total, place) => total + Number(fields[place] ?? 0) * tick, 0);

const own = [11, 12];
const ofTheGone = [13, 14];

/** Of one process, in seconds. */
export const cpuOf = (id: number): number => sum(fieldsOf(id), own);

/** Of a process and all that it started, those that are gone included, in seconds. */
export const cpuOfFamily = (id: number): number => {
  const parent = sum(fieldsOf(id), [...own, ...ofTheGone]);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => fieldsOf(Number(name)))
    .filter((fields) => fields[1] === `${id}`)
    .reduce((total, fields) => total + sum(fields, own), parent);
};

/** Of the processes that this one started and that have ended, in seconds. */
export const cpuOfTheEnded = (): number => sum(fieldsOf('self'), ofTheGone);

/** Resident memory of a process, in MB. */
export const memoryOf = (id: number): number => {
  const status = readFileSync(`/proc/${id}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};
