import { expect } from 'chai';
import { outsideProject } from '../support/outside.ts';
import { ending, portico } from '../support/portico.ts';

const version = 'export const apiVersion = 0;\n';

describe('A module from outside', () => {
  const { write, place } = outsideProject();

  it('is named when it ends the process', async () => {
    for (const [what, text] of [
      ['which', 'process.exit(0);'],
      ['whose openStore', `${version}export const openStore = () => process.exit(0);`],
      ['whose openStore', `${version}export const openStore = async () => { await 1; process.exit(7); };`],
    ] as const) {
      write('exit.ts', text);
      const settings = { PERSISTENCE_ADAPTER: './exit.ts', PORT: '0', OPS_PORT: '0' };
      const { code, output, errors } = await ending(portico(['start'], { settings, folder: place() }));
      expect(errors).to.equal(
        `portico: PERSISTENCE_ADAPTER names exit.ts, ${what} has ended the process: throw an error instead.\n`,
      );
      expect({ code, output }).to.deep.equal({ code: text.includes('7') ? 7 : 1, output: '' });
    }
  });
});
