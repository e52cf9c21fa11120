import { type FileRows, readRecords } from '../../../product-files/records.ts';
import { yieldToBrowser } from './yield-to-browser.ts';

/** A larger file is for the command line, which reads it as a stream. */
const maxBytes = 10 * 1024 * 1024;

export interface ImportFile extends FileRows {
  readonly name: string;
  /** The same for the same content. */
  readonly id: string;
  /** What a person should know of how it was read. */
  readonly notice: string | undefined;
}

/**
 * Reads a file of a spreadsheet: its header, and its rows with their numbers of lines.
 * @throws Error that describes what is wrong with the file
 */
export const readTable = async (file: File): Promise<ImportFile> => {
  if (file.size > maxBytes)
    throw new Error('The file is larger than 10 MB. Import it with “portico import products”.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { text, notice } = decode(bytes);
  if (text.includes('\0'))
    throw new Error(
      'This is no text that can be read. In your spreadsheet choose “Save as” and “CSV UTF-8”, and drop that file here.',
    );
  return { name: file.name, id: await idOf(bytes), notice, ...(await rowsOf(text)) };
};

const rowsOf = async (text: string): Promise<FileRows> => {
  const { CsvError, parse } = await import('../../../csv-parse/sync.js');
  return readRecords(text, {
    pause: yieldToBrowser,
    parse: (record, { delimiter, relaxQuotes }) => {
      try {
        const [cells, ...others]: string[][] = parse(record, {
          delimiter,
          relax_quotes: relaxQuotes,
          record_delimiter: '\n',
        });
        return others.length === 0 ? cells : undefined;
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        return undefined;
      }
    },
  });
};

/** The same for the same content. Without HTTPS a browser has no digests, and a sum has to do. */
const idOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  if (crypto.subtle === undefined)
    return `${bytes.length}-${bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7)}`;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

const decode = (bytes: Uint8Array): { readonly text: string; readonly notice?: string } => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  // Workbooks of today, and those from before 2007.
  if ((first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf))
    throw new Error(
      'This is an Excel file. In Excel choose “Save as” and “CSV UTF-8”, and drop that file here.',
    );
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const notice =
      'The file is not in UTF-8, so it was read as Western European. Look whether accents are right.';
    return { text: new TextDecoder('windows-1252').decode(bytes), notice };
  }
};
