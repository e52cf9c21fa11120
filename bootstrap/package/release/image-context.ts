import { root, run } from '../compile.ts';

/** What Docker reads, and what .dockerignore lets into the build. */
export const contextPaths = (dockerignore: string): readonly string[] => [
  'Dockerfile',
  '.dockerignore',
  ...dockerignore
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1)),
];

/**
 * Writes what `docker build - < FILE` needs, from the last commit: the same commit makes the same bytes.
 * @param file an absolute path that ends in `.tar.gz`
 */
export const writeImageContext = (paths: readonly string[], file: string): void => {
  run(root, 'git', 'archive', '--format=tar.gz', `--output=${file}`, 'HEAD', '--', ...paths);
};
