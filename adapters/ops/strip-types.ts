import { stripTypeScriptTypes } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Removes the types of a module, and the comments that have lines of their own. Each line keeps its number, so that an error in a
 * browser names the line of the source.
 */
const strip = (source: string): string => withoutTypes(source).replaceAll(comments, linesIn);

/** No text of a template begins a line like a comment: a test compares each module with what it is without them. */
const comments = /^ *\/\*(?:(?!\*\/)[\s\S])*\*\/$|^ *\/\/.*$/gm;

const linesIn = (text: string): string => text.replaceAll(/[^\n]/g, '');

const withoutTypes = (source: string): string => {
  // Node puts white space in the place of types, as much as they are long.
  const spaced = stripTypeScriptTypes(source);
  if (spaced.length !== source.length) return spaced;
  let stripped = '';
  for (let index = 0; index < spaced.length; index += 1) {
    const end = endOfType(source, spaced, index);
    if (end === index) stripped += spaced.charAt(index);
    else index = end - 1;
  }
  return stripped;
};

/** @returns the index behind the removed signs that begin at `begin` and the spaces between them; `begin` where none does */
const endOfType = (source: string, spaced: string, begin: number): number => {
  let end = begin;
  for (let index = begin; index < source.length; index += 1) {
    if (isRemoved(source, spaced, index)) end = index + 1;
    else if (end === begin || source.charAt(index) !== ' ') break;
  }
  return end;
};

const isRemoved = (source: string, spaced: string, index: number): boolean =>
  source.charAt(index) !== spaced.charAt(index) && /\s/.test(spaced.charAt(index));

// A thread of its own, because Node warns of this function, and the warning can be switched off for a whole thread only.
const sources: readonly string[] = workerData;
parentPort?.postMessage(sources.map(strip));
