import { expect } from 'chai';
import { textOf } from '../../deploy/files.ts';

/** The preload with which an npm script checks the version before it loads TypeScript. */
const preload = '--import ./bootstrap/process/require-node.mjs';

describe('A version of Node that is too old', () => {
  const { scripts, engines } = JSON.parse(textOf('package.json'));

  it('is checked by every npm script that runs TypeScript', () => {
    const runsTypeScript = /node (?!bootstrap\/prepare)\S.*\.ts\b/;
    const checked = Object.entries<string>(scripts).filter(([, script]) => runsTypeScript.test(script));
    expect(checked.map(([name]) => name)).to.include.members(['chaos', 'bench', 'trials', 'lint']);
    for (const [name, script] of checked) expect(script, name).to.include(`node ${preload} `);
    expect(JSON.parse(textOf('.mocharc.json')).require[0]).to.equal('./bootstrap/process/require-node.mjs');
    expect(textOf('bootstrap/process/node-version.mjs')).to.include(
      `requiredMajor = ${engines.node.slice(2)};`,
    );
  });
});
