/** The text of a file as UTF-8, and the encoding in which it was written. */
export interface DecodedFile {
  readonly encoding: string;
  /** What the file is instead of text, for a message; undefined for text. */
  readonly binary: string | undefined;
  /** Whether it begins as JSON does, and no table. */
  readonly isJson: boolean;
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Whether this Node can decode an encoding (https://encoding.spec.whatwg.org/#names-and-labels). */
export const isEncoding = (label: string): boolean => {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
};

/**
 * Decodes a file to UTF-8. A byte order mark decides, then the NUL bytes of UTF-16, then `declared`. Bytes that the encoding
 * does not know become invalid UTF-8, so that the reader rejects just their row.
 * @param declared UTF-8 by default, which is passed on unchanged
 */
export const decodeFile = async (
  chunks: AsyncIterable<Uint8Array>,
  declared = 'utf-8',
): Promise<DecodedFile> => {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await readHead(iterator);
  const encoding = new TextDecoder(encodingOf(head) ?? declared).encoding;
  const whole = rejoin(head, iterator);
  return {
    encoding,
    binary: binaryOf(head),
    isJson: /^\ufeff?\s*(?:\[\s*\{|\{\s*")/.test(head.toString()),
    chunks: encoding === 'utf-8' ? whole : transcode(whole, encoding),
  };
};

/** As long as a byte order mark and the longest signature below. */
const headLength = 8;

/** The first bytes of files that are mistaken for a CSV file. */
const signatures: readonly (readonly [string, string])[] = [
  ['504b0304', 'a workbook or another ZIP file'],
  ['d0cf11e0', 'a workbook of an old Excel'],
  ['1f8b', 'compressed with gzip'],
  ['25504446', 'a PDF file'],
  // `<!DOCTYPE`, `<html`, `<table` and `<?xml`: what a shop or a login page sends in place of an export.
  ...['<!', '<htm', '<HTM', '<tab', '<TAB', '<?xm'].map(
    (text) => [Buffer.from(text).toString('hex'), 'a web page or another XML file'] as const,
  ),
];

const binaryOf = (head: Uint8Array): string | undefined => {
  const hex = Buffer.from(head)
    .toString('hex')
    .replace(/^efbbbf/, '');
  return signatures.find(([signature]) => hex.startsWith(signature))?.[1];
};

const readHead = async (iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < headLength; ) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    parts.push(value);
    length += value.length;
  }
  return Buffer.concat(parts);
};

/** The first character of a file is ASCII: of a name, a quote or a brace. In UTF-16 a NUL byte is beside it. */
const encodingOf = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : undefined;
};

async function* rejoin(
  head: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function* transcode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield encode(decoder.decode(chunk, { stream: true }));
  yield encode(decoder.decode());
}

const replacement = Buffer.from('\ufffd');
const invalidByte = 0xff;

const encode = (text: string): Uint8Array => {
  const bytes = Buffer.from(text);
  for (let at = bytes.indexOf(replacement); at !== -1; at = bytes.indexOf(replacement, at)) {
    bytes.fill(invalidByte, at, at + replacement.length);
  }
  return bytes;
};
