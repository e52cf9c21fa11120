import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, textOf } from '../../deploy/files.ts';
import { startFlags } from '../../support/start-flags.ts';

/** Every command line that serves starts Node with these. */
const servingFlags = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
];

/** The command lines that must be there. The other files may hold some. */
const places: Readonly<Record<string, RegExp>> = {
  'package.json, npm start': /"start": "exec (node .*bootstrap\/main\.mjs)"/,
  'package.json, npm run portico': /"portico": "exec (node .*bootstrap\/portico\.mjs)"/,
  Dockerfile: /^ENTRYPOINT \[(.*)\]$/m,
  'docs/deploy/portico.service': /^ExecStart=(.*)$/m,
  'docs/operations/deploy.md': /^ *(node --.*bootstrap\/main\.mjs)$/m,
  'docs/operations/watch.md': /^ *(node --.*\\\n.*bootstrap\/main\.mjs)$/m,
  'bootstrap/portico.mjs': /^#!\/usr\/bin\/env -S (node .*)$/m,
};

const lineIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

/** The words of a command line, however its file quotes and continues them. */
const words = (line: string): readonly string[] => line.split(/[\s",\\]+/).filter((word) => word !== '');

const missingIn = (line: string): readonly string[] =>
  servingFlags.filter((flag) => !words(line).includes(flag));

/** Whatever a reader could copy: command lines that run Node on one of the two programs, and serve. */
const servingLinesIn = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /\bnode["' ].*bootstrap\/(main\.mjs|portico\.mjs["' ]*(start|$))/.test(line));

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'Dockerfile',
  'compose.yaml',
  'package.json',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|service|yaml|conf|cfg|example)$/.test(name))
    .map((name) => `docs/${name}`),
];

describe('The flags of Node', () => {
  it('are all on each command line that must be there', () => {
    for (const [place, pattern] of Object.entries(places)) {
      const [file = ''] = place.split(',');
      const line = lineIn(textOf(file), pattern);
      expect(line, place).not.to.equal('');
      expect(missingIn(line), place).to.deep.equal([]);
    }
  });

  it('are missed where one is not there', () => {
    for (const [place, pattern] of Object.entries(places)) {
      const [file = ''] = place.split(',');
      for (const flag of servingFlags) {
        const line = lineIn(textOf(file).replaceAll(flag, '--no-warnings'), pattern);
        expect(missingIn(line), place).to.deep.equal([flag]);
      }
    }
  });

  it('are on every other command line that serves, too', () => {
    const lines = files.flatMap((file) => servingLinesIn(textOf(file)).map((line) => ({ file, line })));
    expect(lines.map(({ file }) => file)).to.include.members(['package.json', 'docs/operations/deploy.md']);
    expect(lines.filter(({ line }) => missingIn(line).length > 0)).to.deep.equal([]);
  });

  it('are those with which the tests, the trials and the benchmark start servers', () => {
    expect(startFlags).to.deep.equal(servingFlags);
  });
});
