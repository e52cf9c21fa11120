import { expect } from 'chai';
import { CsvError, parse } from 'csv-parse/sync';
import { readRecords } from '#adapters/product-files/records.ts';

/** The rows of a file, with its rejected lines. */
const read = async (text: string) => {
  const { header, rows, rejected } = await readRecords(text, {
    pause: async () => undefined,
    parse: (record, { delimiter, relaxQuotes }) => {
      try {
        return parse(record, { delimiter, relax_quotes: relaxQuotes, record_delimiter: '\n' })[0];
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        return undefined;
      }
    },
  });
  return {
    header,
    rows: rows.map(({ line, cells }) => [line, ...cells]),
    rejected: rejected.map(({ line }) => line),
  };
};

describe('The records of a file in memory', () => {
  it('lose only the lines whose quotation marks are wrong', async () => {
    const lines = [
      ...['sku,name,price', 'A,"First, with a comma",1', 'B,Rack 19",2', 'C,"in two', 'lines",3'],
      ...['D,"closed "too" early,4', 'E,"never closed,5', 'F,"Rack 19""",6', 'G,Last,7', 'H,"open,8'],
    ];
    expect(await read(lines.join('\n'))).to.deep.equal({
      header: ['sku', 'name', 'price'],
      rows: [
        [2, 'A', 'First, with a comma', '1'],
        [4, 'C', 'in two\nlines', '3'],
        [8, 'F', 'Rack 19"', '6'],
        [9, 'G', 'Last', '7'],
      ],
      rejected: [3, 6, 7, 10],
    });
  });

  it('with tabs have quotation marks inside of cells', async () => {
    const lines = ['SKU\tName', 'A\tRack 19"', 'B\t"in two', 'lines"', 'C\t"never closed', 'D\tLast'];
    expect(await read(lines.join('\r\n'))).to.deep.include({
      rows: [
        [2, 'A', 'Rack 19"'],
        [3, 'B', 'in two\nlines'],
        [6, 'D', 'Last'],
      ],
      rejected: [5],
    });
  });

  it('begin behind empty lines and a line that names the delimiter', async () => {
    for (const text of ['sep=^\rsku^name\rA^x,y\r', '\n \nsku;name\n\nA;x,y\n;\n\u001a', 'sku|name\r\nA|x,y'])
      expect(
        (await read(text)).rows.map(([, ...cells]) => cells),
        text,
      ).to.deep.equal([['A', 'x,y']]);
  });

  it('are bounded: a mark that is closed far below is one too many', async () => {
    const text = `sku,name\nA,"open\n${'x\n'.repeat(600)}B,"\n`;
    expect((await read(text)).rejected[0]).to.equal(2);
  });

  it('are there', async () => {
    for (const [text, message] of [
      ['', 'The file has no rows.'],
      ['sku,name\n', 'The file has no rows.'],
      ['sku,"name\nA,x\n', 'Line 1 of the file names the columns, and has a quotation mark'],
    ] as const)
      expect(String(await read(text).catch(String)), text).to.contain(message);
  });
});
