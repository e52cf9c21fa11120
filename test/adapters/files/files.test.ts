import { expect } from 'chai';
import * as fc from 'fast-check';
import { csvRow, readCsv } from '#adapters/files/csv.ts';
import type { Row } from '#adapters/files/rows.ts';
import { readJsonLines } from '#adapters/files/rows.ts';

/** The bytes in chunks of some length, as they come from a disk or a pipe. */
async function* chunksOf(bytes: Uint8Array, length = 7): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

const all = async <T>(rows: AsyncIterable<Row<T>>): Promise<unknown[][]> => {
  const read: unknown[][] = [];
  for await (const { line, content } of rows) {
    read.push([line, 'value' in content ? content.value : content.error]);
  }
  return read;
};

const csv = (text: string | Buffer, length?: number) => all(readCsv(chunksOf(Buffer.from(text), length)));

const quoteInUnquotedCell =
  'has a quote inside an unquoted cell; put the cell in quotes and double the quotes in it';

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
      'a last line without a line end',
      'a\nb',
      [
        [1, ['a']],
        [2, ['b']],
      ],
    ],
    [
      'the line ends of Windows',
      'a,b\r\n"c",d\r\n',
      [
        [1, ['a', 'b']],
        [2, ['c', 'd']],
      ],
    ],
    ['a byte order mark', '\ufeffa,b\n', [[1, ['a', 'b']]]],
    ['a byte order mark before a quote', '\ufeff"a",b\n', [[1, ['a', 'b']]]],
    ['empty cells', ',"",\n', [[1, ['', '', '']]]],
    ['quotes around commas and doubled quotes', '"a,b","say ""hi"""\n', [[1, ['a,b', 'say "hi"']]]],
    ['spaces as part of their cells', ' a , b\n', [[1, [' a ', ' b']]]],
    [
      'quoted cells over several lines, numbered by the first line',
      'a,"b\nc\n\nd"\ne,f\n"\r\n",g\nh,i\n',
      [
        [1, ['a', 'b\nc\n\nd']],
        [5, ['e', 'f']],
        [6, ['\r\n', 'g']],
        [8, ['h', 'i']],
      ],
    ],
    [
      'blank lines, which are skipped but counted',
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
      'the rows after a line that is not UTF-8',
      Buffer.concat([Buffer.from('a\n'), Buffer.of(0xe4, 0x0a), Buffer.from('ä\n')]),
      [
        [1, ['a']],
        [2, 'is not valid UTF-8'],
        [3, ['ä']],
      ],
    ],
    [
      'the rows after a quote inside an unquoted cell',
      'a,5" b\nd,e\n"f",g\n',
      [
        [1, quoteInUnquotedCell],
        [2, ['d', 'e']],
        [3, ['f', 'g']],
      ],
    ],
    [
      'the rows after a quoted cell that has blanks before its quote',
      'a, "b\nno,row\n"\nd,e\n',
      [
        [1, quoteInUnquotedCell],
        [4, ['d', 'e']],
      ],
    ],
    [
      'the rows after several quotes inside an unquoted cell',
      'a,5" by 4"\nb,c\n',
      [
        [1, quoteInUnquotedCell],
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
    ['a quote is never closed', '"b,c\n\nno,row\n', /^line 2 opens a quote that is never closed\. Nothing /],
    [
      'something follows a closing quote',
      '"b"c,d\nno,row\n",e\n',
      /^line 2 has a quote inside a quoted cell/,
    ],
    [
      'a later line of a cell has one quote too many',
      '"b\nc " d\nno,row\n"\n',
      /^line 2 has a quote inside a quoted cell/,
    ],
    [
      'a cell has one quote too many far behind its beginning',
      `"b\n${'c\n'.repeat(60_000)} " d\nno,row\n"\n`,
      /^line 2 has a quote /,
    ],
    ['a line has no end', `${'b'.repeat(1024 * 1024)}c\nno,row\n`, /^line 2 is longer than 1 MiB/],
  ];
  for (const [what, text, message] of broken) {
    it(`is read no further than where ${what}`, async () => {
      const read: unknown[] = [];
      let thrown: unknown;
      try {
        for await (const { content } of readCsv(chunksOf(Buffer.from(`a\n${text}`), 65_536)))
          read.push(content);
      } catch (error) {
        thrown = error;
      }
      expect(read).to.deep.equal([{ value: ['a'] }]);
      expect(thrown).to.have.property('message').that.matches(message);
    });
  }

  it('is read after a row that is too long, and never inside it', async () => {
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

  it('round-trips any cells', async () => {
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
    all(readJsonLines(chunksOf(Buffer.from(text)), (bytes) => ({ value: Buffer.from(bytes).toString() })));

  it('is read line by line, without a byte order mark and blank lines', async () => {
    expect(await read('\ufeff{}\n\n \t\r\n[1]\r\n"a"')).to.deep.equal([
      [1, '{}'],
      [4, '[1]\r'],
      [5, '"a"'],
    ]);
  });

  it('is read after a line that is too long', async () => {
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
