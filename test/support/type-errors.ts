import { Program } from '../lab/program.ts';

/**
 * Compiles a project.
 * @param folder the working directory of the compiler
 * @param words its options and files
 * @returns what it reports: nothing when there is no error
 */
export const typeErrors = async (folder: string, words: readonly string[]): Promise<string> => {
  const compiler = new Program('node_modules/typescript/bin/tsc', { folder, words });
  await compiler.ended();
  return `${compiler.output}${compiler.errors}`.slice(0, 4_000);
};
