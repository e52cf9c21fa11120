import { formatCount } from '../../format.ts';
import { forget, keep, kept } from '../../kept.ts';

/* How far the import of this tab has come, so that the next page can report one that was interrupted. */
const name = 'portico-import';

interface Progress {
  /** Its name. */
  readonly file: string;
  /** How many products were sent. */
  readonly done: number;
  readonly all: number;
}

export const keepProgress = (progress: Progress): boolean => keep(name, JSON.stringify(progress));

/** The person has seen how it ended, or knows. */
export const forgetProgress = (): void => forget(name);

/** How far an import came that did not reach its end; undefined where there is none. */
export const unfinishedImport = (): string | undefined => {
  const text = kept(name);
  if (text === undefined) return undefined;
  const { file, done, all }: Progress = JSON.parse(text);
  return `The import of ${file} was stopped after ${formatCount(done)} of ${formatCount(all)} products. Import the same file again to send the rest: what was sent is recognized by its article number (SKU), and nothing is done twice.`;
};
