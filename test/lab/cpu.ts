import { readdirSync, readFileSync } from 'node:fs';

/** Seconds in a clock tick of /proc. */
const tick = 0.01;

/** The fields behind the name, which may contain spaces. The first is the state. */
const fieldsOf = (id: number | 'self'): readonly string[] => {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // The process has ended, or this is not Linux.
    return [];
  }
};

const sum = (fields: readonly string[], places: readonly number[]): number =>
  places.reduce((total, place) => total + Number(fields[place] ?? 0) * tick, 0);

const own = [11, 12];
const ofTheGone = [13, 14];

/** CPU time of a process, in seconds. */
export const cpuOf = (id: number): number => sum(fieldsOf(id), own);

/** CPU time of a process and its children, ended ones included, in seconds. */
export const cpuOfFamily = (id: number): number => {
  const parent = sum(fieldsOf(id), [...own, ...ofTheGone]);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => fieldsOf(Number(name)))
    .filter((fields) => fields[1] === `${id}`)
    .reduce((total, fields) => total + sum(fields, own), parent);
};

/** CPU time of this process's ended children, in seconds. */
export const cpuOfTheEnded = (): number => sum(fieldsOf('self'), ofTheGone);

/** Resident memory of a process, in MB. */
export const memoryOf = (id: number): number => {
  const status = readFileSync(`/proc/${id}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};
