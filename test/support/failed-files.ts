import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';

/**
 * The reporter `spec`, which also appends the file of every failed test or hook to the file that FAILED_FILES names, one a
 * line.
 */
export default class FailedFiles extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { FAILED_FILES: list } = process.env;
    if (list === undefined) return;
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, ({ file = 'unknown file' }) =>
      appendFileSync(list, `${file}\n`),
    );
  }
}
