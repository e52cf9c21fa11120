import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { importMeasured, writeProducts } from '../support/large-import.ts';
import { describeOnEach } from '../support/places.ts';

describe('A file of 180 MB', () => {
  const folder = temporaryFolder();
  before(() => writeProducts(folder('large.jsonl'), 45_000));

  describeOnEach('A large import', (place) => {
    it('does not keep the file in memory', async function () {
      if (process.platform !== 'linux') this.skip();
      this.timeout(600_000);
      const { code, output, peak } = await importMeasured(folder('large.jsonl'), place.url);
      expect(code).to.equal(0);
      expect(JSON.parse(output)).to.include({ added: 45_000, done: true });
      // The file alone has 180 MB.
      expect(peak).to.be.within(50, 300);
    });
  });
});
