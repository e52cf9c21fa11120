import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { importMeasured, writeProducts } from '../support/large-import.ts';

describe('An import of a file of 100 MB', () => {
  const folder = temporaryFolder();

  it('does not keep the file in memory', async function () {
    if (process.platform !== 'linux') this.skip();
    writeProducts(folder('large.jsonl'), 25_000);
    const { code, output, peak } = await importMeasured(folder('large.jsonl'), `sqlite:${folder('shop.db')}`);
    expect(code).to.equal(0);
    expect(JSON.parse(output)).to.include({ added: 25_000, done: true });
    // An import of few products takes 160 MiB. Larger ones have 30 more, and the file 100.
    expect(peak).to.be.within(50, 240);
  });
});
