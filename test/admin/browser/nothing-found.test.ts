import { expect } from 'chai';
import { nothingFoundText as why } from '#adapters/ops/admin/browser/components/nothing-found.ts';

describe('A search on the admin page that finds nothing', () => {
  it('says what must be written whole', () => {
    for (const part of ['7K3M', '7k3m-9qxa', 'QXAB-KLMN', '1001'])
      expect(why(part, '7K3M-9QXA-2DFE'), part).to.equal(
        'A number is found as a whole only, such as 7K3M-9QXA-2DFE.',
      );
    expect(why('1001')).to.equal('A number is found as a whole only.');
    expect(why('jules@')).to.equal('An e-mail address is found as a whole only.');
    for (const name of ['Jules', 'Jean-Luc', 'de la Cruz'])
      expect(why(name), name).to.equal('Names cannot be searched.');
  });
});
