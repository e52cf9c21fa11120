import { type Finding, findingsOf } from './finding.ts';

const { ok, fail } = findingsOf('node');

const least = 24;

export const checkNode = (version = process.versions.node): Finding =>
  Number.parseInt(version, 10) >= least
    ? ok(`Node ${version} runs this`)
    : fail(`Node ${version} is too old`, `Run npm ci, which brings Node ${least} along, and start with npm.`);
