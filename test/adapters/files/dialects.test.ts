import { expect } from 'chai';
import { readCsv } from '#adapters/files/csv.ts';
import { decodeFile, isEncoding } from '#adapters/files/encoding.ts';
import { withLineFeeds } from '#adapters/files/line-ends.ts';
import { readJsonLines } from '#adapters/files/rows.ts';
import { delimiterOf } from '#adapters/product-files/delimiter.ts';

const chunkLengths = [1, 2, 3, 7, 1000];

async function* chunksOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

const isKnown = (name: string): boolean => ['sku', 'name', 'stock'].includes(name.trim().toLowerCase());

/** The rows of a file as an import reads them. */
const read = async (bytes: Uint8Array, length: number, encoding?: string): Promise<unknown[]> => {
  const rows: unknown[] = [];
  const { chunks } = await decodeFile(chunksOf(bytes, length), encoding);
  for await (const { content } of readCsv(withLineFeeds(chunks), (line) => delimiterOf(line, isKnown))) {
    rows.push('value' in content ? content.value : content.error);
  }
  return rows;
};

const utf16 = (text: string, isBigEndian = false): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

const rows = [
  ['sku', 'name'],
  ['A', 'Café'],
];

describe('A CSV file of a spreadsheet', () => {
  const files: readonly (readonly [string, string | Buffer, string?])[] = [
    ['commas', 'sku,name\nA,Café\n'],
    ['semicolons', 'sku;name\r\nA;Café\r\n'],
    ['tabs', 'sku\tname\nA\tCafé\n'],
    ['bars', 'sku|name\nA|Café\n'],
    ['tabs and quotes', 'sku\tname\nA\t"Café"\n'],
    ['a line that names its delimiter', 'sep=;\r\nsku;name\r\nA;Café\r\n'],
    ['a line that names an unusual delimiter', 'sep=^\nsku^name\nA^Café\n'],
    ['a quoted line that names its delimiter', '"sep=;"\nsku;name\nA;Café\n'],
    ['a byte order mark and semicolons', '\ufeffsku;name\nA;Café\n'],
    ['carriage returns alone', 'sku,name\rA,Café\r'],
    ['carriage returns alone and no last one', 'sku,name\rA,Café'],
    ['UTF-16 with a byte order mark', utf16('\ufeffsku\tname\r\nA\tCafé\r\n')],
    ['big-endian UTF-16', utf16('\ufeffsku,name\nA,Café\n', true)],
    ['UTF-16 without a byte order mark', utf16('sku,name\nA,Café\n')],
    ['big-endian UTF-16 without a byte order mark', utf16('sku,name\nA,Café\n', true)],
    ['UTF-16 and carriage returns alone', utf16('\ufeffsku\tname\rA\tCafé\r')],
    ['Windows-1252', Buffer.from('sku;name\nA;Café\n', 'latin1'), 'windows-1252'],
    [
      'the encoding of old Macs',
      Buffer.concat([Buffer.from('sku,name\rA,Caf'), Buffer.of(0x8e, 0x0d)]),
      'macintosh',
    ],
    ['a byte order mark that contradicts --encoding', Buffer.from('\ufeffsku,name\nA,Café\n'), 'latin1'],
    ['a Ctrl-Z at its end', 'sku,name\nA,Café\n\u001a'],
    ['a Ctrl-Z behind its last row', 'sku,name\nA,Café\u001a'],
    ['a Ctrl-Z in a line of its own', 'sku,name\r\nA,Café\r\n\u001a\r\n'],
  ];
  for (const [what, text, encoding] of files) {
    it(`is read with ${what}`, async () => {
      for (const length of chunkLengths) {
        expect(await read(Buffer.from(text), length, encoding), `${length}`).to.deep.equal(rows);
      }
    });
  }

  it('keeps what is a delimiter elsewhere, and line feeds in quoted cells, where carriage returns end rows', async () => {
    const file = Buffer.from('sku;name\rA;"1,5 kg\nnet"\rB;x,y\r');
    for (const length of chunkLengths) {
      expect(await read(file, length)).to.deep.equal([
        ['sku', 'name'],
        ['A', '1,5 kg\nnet'],
        ['B', 'x,y'],
      ]);
    }
  });

  it('keeps carriage returns of a file whose rows end with line feeds', async () => {
    expect(await read(Buffer.from('sku,name\nA,"x\ry"\n'), 1000)).to.deep.equal([
      ['sku', 'name'],
      ['A', 'x\ry'],
    ]);
  });

  it('has the euro and the quotes of Windows-1252, which Latin-1 has not', async () => {
    const bytes = Buffer.concat([Buffer.from('sku,name\nA,'), Buffer.of(0x80, 0x93, 0x94, 0x0a)]);
    expect((await read(bytes, 7, 'windows-1252'))[1]).to.deep.equal(['A', '€“”']);
  });

  it('rejects just the row that has bytes outside of its encoding', async () => {
    const bytes = Buffer.concat([utf16('\ufeffsku,name\nA,'), Buffer.of(0x00, 0xd8), utf16('\nB,Mate\n')]);
    for (const length of chunkLengths) {
      expect(await read(bytes, length)).to.deep.equal([['sku', 'name'], 'is not valid UTF-8', ['B', 'Mate']]);
    }
  });
});

describe('A file of JSON Lines of another encoding', () => {
  const texts = async (bytes: Uint8Array): Promise<string[]> => {
    const found: string[] = [];
    const { chunks } = await decodeFile(chunksOf(bytes, 5));
    for await (const { content } of readJsonLines(chunks, (line) => ({
      value: Buffer.from(line).toString(),
    }))) {
      found.push('value' in content ? `${content.value}` : content.error);
    }
    return found;
  };

  it('is read as UTF-16, which PowerShell writes, and to a Ctrl-Z', async () => {
    expect(await texts(utf16('\ufeff{"a":"é"}\r\n{}\n'))).to.deep.equal(['{"a":"é"}\r', '{}']);
    expect(await texts(Buffer.from('{}\n\u001a'))).to.deep.equal(['{}']);
  });

  it('may be shorter than a byte order mark', async () => {
    expect(await texts(Buffer.from(''))).to.deep.equal([]);
    expect(await texts(Buffer.from('1'))).to.deep.equal(['1']);
    expect(await texts(Buffer.from('\ufeff'))).to.deep.equal([]);
  });
});

describe('The name of an encoding', () => {
  it('is one that this Node decodes', () => {
    expect(['utf-8', 'UTF8', 'windows-1252', 'latin1', 'utf-16le', 'shift_jis'].every(isEncoding)).to.equal(
      true,
    );
    expect(['', 'ansi', 'excel'].some(isEncoding)).to.equal(false);
  });
});
