import { expect } from 'chai';
import { outsideProject } from '../support/outside.ts';
import { ending, portico } from '../support/portico.ts';

/** `load-adapter.test.ts` tests how long a factory may take. */
describe('A whole program with a module from outside', () => {
  const { write, place } = outsideProject();

  it('ends with one line and exit code 1 when the promise of the factory is never settled', async () => {
    write(
      'stuck.ts',
      'export const apiVersion = 0;\nexport const openStore = () => new Promise(() => {});\n',
    );
    const settings = { PERSISTENCE_ADAPTER: './stuck.ts', PORT: '0', OPS_PORT: '0' };
    const ended = await ending(portico(['start'], { settings, folder: place() }));
    expect(ended).to.deep.equal({
      ...{ code: 1, output: '' },
      errors:
        'portico: PERSISTENCE_ADAPTER names stuck.ts, whose openStore is not done after 60 s. Let it resolve, or reject with an error.\n',
    });
  });
});
