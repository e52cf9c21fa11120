// Measures how fast Portico is beside what one would write by hand: `npm run bench -- --help`.
import { print, runCommand } from '../lab/command-line.ts';
import { readArguments, usage } from './arguments.ts';
import { run } from './run.ts';

await runCommand({
  ...{ name: 'bench', usage, read: readArguments },
  run: (args, { cleanUp }) => run(args, cleanUp, print),
});
