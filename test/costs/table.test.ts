import { expect } from 'chai';
import { complaint, differences, readTable, type Table, updated } from './table.ts';

const table: Table = {
  'an order': {
    statements: 10,
    json: 3,
    calls: 800,
    callsOfPackages: 300,
    files: 90,
    reason: 'Orders have events.',
  },
};
const costing = (costs: object) => ({
  'an order': { statements: 10, json: 3, calls: 800, callsOfPackages: 300, files: 90, ...costs },
});

/** To follow an operation is to read these files. No reason raises a limit, and no two ideas are merged to keep one. */
const maxFilesOnPostgres = {
  'a product': 51,
  'an order': 95,
  'an order with an idempotency key': 101,
  'a payment': 118,
};

describe('The table of costs', () => {
  for (const [operation, max] of Object.entries(maxFilesOnPostgres))
    it(`has at most ${max} files for ${operation} on PostgreSQL`, async () => {
      const { files } = (await readTable('postgres'))[operation] ?? {};
      expect(files).to.be.within(1, max);
    });

  it('differs in every figure that is another one', () => {
    expect(differences(table, costing({}))).to.deep.equal([]);
    for (const figure of ['statements', 'json', 'calls', 'callsOfPackages', 'files'])
      for (const by of [-1, 1]) {
        const { [figure as 'statements']: before = 0 } = table['an order'] ?? {};
        const [changed, ...others] = differences(table, costing({ [figure]: before + by }));
        expect(changed).to.deep.include({ operation: 'an order', figure, before, now: before + by });
        expect(others).to.deep.equal([]);
      }
    expect(differences(table, costing({ commits: 1 })).map(({ figure }) => figure)).to.deep.equal([
      'commits',
    ]);
    expect(differences(table, {}).map(({ now }) => now)).to.deep.equal(Array(5).fill(undefined));
  });

  it('takes a reason for each change but for a tenth of calls', () => {
    const needs = (costs: object) => differences(table, costing(costs)).map(({ needsReason }) => needsReason);
    expect(needs({ calls: 879, callsOfPackages: 271 })).to.deep.equal([false, false]);
    expect(needs({ calls: 880, callsOfPackages: 270 })).to.deep.equal([true, true]);
    expect(needs({ statements: 11 })).to.deep.equal([true]);
    expect(needs({ files: 91 })).to.deep.equal([true]);
    expect(needs({ commits: 1 })).to.deep.equal([true]);
  });

  it('keeps the reason of a row until another one is needed', () => {
    const { 'an order': same } = updated(table, costing({ calls: 810 }), undefined);
    expect(same).to.include({ calls: 810, reason: 'Orders have events.' });
    const { 'an order': changed } = updated(table, costing({ statements: 11 }), 'The stock is read.');
    expect(changed).to.include({ statements: 11, reason: 'The stock is read.' });
    expect(() => updated(table, costing({ statements: 11 }), undefined)).to.throw(/an order/);
  });

  it('says what has changed and how to write it anew', () => {
    const said = (costs: object) => complaint('sqlite', differences(table, costing(costs)));
    expect(said({})).to.equal(undefined);
    expect(said({ statements: 11 }))
      .to.include('an order: statements 11, in the table 10')
      .and.include('npm run costs -- --write --because');
    expect(said({ calls: 801 })).to.match(/--write\n/);
  });
});
