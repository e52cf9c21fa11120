import { expect } from 'chai';
import * as fc from 'fast-check';
import { csvRow, readCsv } from '#adapters/files/csv.ts';
import { readJsonLines } from '#adapters/files/json-lines.ts';
import type { Row } from '#adapters/files/parsed-row.ts';

/** The bytes in pieces of some length, as they come from a disk or a pipe. */
async function* pieces(bytes: Uint8Array, length = 7): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

const all = async <T>(rows: AsyncIterable<Row<T>>): Promise<unknown[][]> => {
  const read: unknown[][] = [];
  for await (const { line, content } of rows) {
    read.push([line, 'value' in content ? content.value : content.fault]);
  }
  return read;
};

const csv = (text: string | Buffer, length?: number) => all(readCsv(pieces(Buffer.from(text), length)));

const quoteWithin =
  'has a quote in the middle of a cell; a cell with quotes stands in quotes, and doubles them';

describe('A CSV file', () => {
  const readings: readonly (readonly [string, string | Buffer, readonly (readonly [number, unknown])[]])[] = [
    [
      'cells between commas',
      'a,b\nc,d\n',
      [
        [1, ['a', 'b']],
        [2, ['c', 'd']],
      ],
    ],
    [
      'a last line that has no end',
      'a\nb',
      [
        [1, ['a']],
        [2, ['b']],
      ],
    ],
    [
      'lines as Windows ends them',
      'a,b\r\n"c",d\r\n',
      [
        [1, ['a', 'b']],
        [2, ['c', 'd']],
      ],
    ],
    ['a mark at the beginning', '\ufeffa,b\n', [[1, ['a', 'b']]]],
    ['a mark before a quote', '\ufeff"a",b\n', [[1, ['a', 'b']]]],
    ['cells that are empty', ',"",\n', [[1, ['', '', '']]]],
    ['quotes around commas and doubled quotes', '"a,b","say ""hi"""\n', [[1, ['a,b', 'say "hi"']]]],
    ['spaces, which belong to their cell', ' a , b\n', [[1, [' a ', ' b']]]],
    [
      'lines within quotes, and the number of the first of them',
      'a,"b\nc\n\nd"\ne,f\n"\r\n",g\nh,i\n',
      [
        [1, ['a', 'b\nc\n\nd']],
        [5, ['e', 'f']],
        [6, ['\r\n', 'g']],
        [8, ['h', 'i']],
      ],
    ],
    [
      'past empty lines, which count',
      '\na\n\r\n \n\nb\n',
      [
        [2, ['a']],
        [6, ['b']],
      ],
    ],
    [
      'rows of any length',
      'a\nb,c,d\n',
      [
        [1, ['a']],
        [2, ['b', 'c', 'd']],
      ],
    ],
    [
      'on behind text that is not UTF-8',
      Buffer.concat([Buffer.from('a\n'), Buffer.of(0xe4, 0x0a), Buffer.from('ä\n')]),
      [
        [1, ['a']],
        [2, 'is not valid UTF-8'],
        [3, ['ä']],
      ],
    ],
    [
      'on behind a quote in the middle of a cell',
      'a,5" b\nd,e\n"f",g\n',
      [
        [1, quoteWithin],
        [2, ['d', 'e']],
        [3, ['f', 'g']],
      ],
    ],
    [
      'past all of a cell that has blanks before its quote',
      'a, "b\nno,row\n"\nd,e\n',
      [
        [1, quoteWithin],
        [4, ['d', 'e']],
      ],
    ],
    [
      'on behind quotes in the middle of a cell',
      'a,5" by 4"\nb,c\n',
      [
        [1, quoteWithin],
        [2, ['b', 'c']],
      ],
    ],
  ];
  for (const [what, text, rows] of readings) {
    it(`is read with ${what}`, async () => {
      for (const length of [1, 2, 3, 7, 1000]) expect(await csv(text, length)).to.deep.equal(rows);
    });
  }

  const broken: readonly (readonly [string, string, RegExp])[] = [
    ['a quote is never closed', '"b,c\n\nno,row\n', /^line 2 opens a quote that is not closed: nothing /],
    [
      'something follows a closing quote',
      '"b"c,d\nno,row\n",e\n',
      /^line 2 has a quote within a quoted cell/,
    ],
    ['a later line of a cell has a quote too many', '"b\nc " d\nno,row\n"\n', /^line 2 has a quote within/],
    [
      'that is far behind the beginning',
      `"b\n${'c\n'.repeat(60_000)} " d\nno,row\n"\n`,
      /^line 2 has a quote /,
    ],
    ['a line has no end', `${'b'.repeat(1024 * 1024)}c\nno,row\n`, /^line 2 is longer than 1 MiB/],
  ];
  for (const [what, text, message] of broken) {
    it(`is read no further than where ${what}`, async () => {
      const read: unknown[] = [];
      let fault: unknown;
      try {
        for await (const { content } of readCsv(pieces(Buffer.from(`a\n${text}`), 65_536)))
          read.push(content);
      } catch (error) {
        fault = error;
      }
      expect(read).to.deep.equal([{ value: ['a'] }]);
      expect(fault).to.have.property('message').that.matches(message);
    });
  }

  it('is read on behind a row that is too long, and never within it', async () => {
    const long = ['"first', ...Array.from({ length: 30_000 }, () => 'no,row ""or so""'), '",x'];
    const lines = ['a,b', ...long, 'c,d', `"${'x'.repeat(200_000)}"`, 'last,y'];
    expect(await csv(lines.join('\n'), 65_536)).to.deep.equal([
      [1, ['a', 'b']],
      [2, 'is longer than 100 KiB'],
      [30_004, ['c', 'd']],
      [30_005, 'is longer than 100 KiB'],
      [30_006, ['last', 'y']],
    ]);
  });

  it('gives back whatever was written', async () => {
    const cell = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => text.isWellFormed());
    const table = fc.array(fc.tuple(cell, cell, fc.constantFrom('a', '"', '\n', '\r\n', ',', '')));
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 20 }), async (rows, length) => {
        const marked = rows.map((row, index) => [`${index}`, ...row]);
        const read = await csv(marked.map(csvRow).join(''), length);
        expect(read.map(([, cells]) => cells)).to.deep.equal(marked);
      }),
      { numRuns: 300 },
    );
  });
});

describe('A file of JSON Lines', () => {
  const read = (text: string | Buffer) =>
    all(readJsonLines(pieces(Buffer.from(text)), (bytes) => ({ value: Buffer.from(bytes).toString() })));

  it('is read line by line, past a mark at the beginning and empty lines', async () => {
    expect(await read('\ufeff{}\n\n \t\r\n[1]\r\n"a"')).to.deep.equal([
      [1, '{}'],
      [4, '[1]\r'],
      [5, '"a"'],
    ]);
  });

  it('is read on behind a line that is too long', async () => {
    const long = `"${'x'.repeat(100 * 1024 - 2)}"`;
    expect(await read(`${long}\n${long}y\n1`)).to.deep.equal([
      [1, long],
      [2, 'is longer than 100 KiB'],
      [3, '1'],
    ]);
  });

  it('may be empty', async () => {
    expect(await read('')).to.deep.equal([]);
    expect(await csv('')).to.deep.equal([]);
  });
});
