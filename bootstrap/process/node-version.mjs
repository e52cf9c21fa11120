// The check that each entry point makes. It runs on old versions of Node: JavaScript of 2019, without top-level await.

/** The oldest major version that runs Portico; `engines` in package.json has it, too. */
const requiredMajor = 24;

export const isNodeSupported = () => Number.parseInt(process.versions.node, 10) >= requiredMajor;

/** Ends the process with one line on standard error. */
export const fail = (line) => {
  process.stderr.write(`portico: ${line}\n`);
  process.exit(1);
};

/** Ends the process with one line that states which version is required, which this is, and what to do. */
export const failAsTooOld = (remedy) =>
  fail(`Node ${requiredMajor} or newer is required, not ${process.versions.node}. ${remedy}`);
