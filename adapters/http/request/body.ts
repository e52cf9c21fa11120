import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import getRawBody from 'raw-body';
import { parseJson } from '#adapters/wire/json.ts';
import { HttpError } from '../errors.ts';
import type { Context } from './context.ts';
import { sendContinue } from './node-response.ts';

/** The longest body of a request to the API: 100 KiB. */
const maxJsonBytes = 100 * 1024;

/**
 * Reads the JSON body of a request. Asks the client to send it first if the client waits for that, and if the headers are valid.
 * @param mediaTypes the accepted values of `Content-Type`
 * @throws HttpError 'unsupported-media-type', 'payload-too-large', 'bad-request'; DecodeError 'malformed'
 */
export const readJson = async (message: Message, mediaTypes: readonly string[]): Promise<unknown> => {
  requireMediaType(message.req.headers['content-type'], mediaTypes);
  return parseJson(await readBody(message, maxJsonBytes));
};

type Message = Pick<Context, 'req' | 'res'>;

/**
 * Reads the bytes of a body as they are. Asks the client to send it first if the client waits for that, and if the headers are valid.
 * @throws HttpError 'unsupported-media-type' when it is compressed, 'payload-too-large', 'bad-request'
 */
export const readBody = async ({ req, res }: Message, maxBytes: number): Promise<Uint8Array> => {
  const { headers } = req;
  requireNoEncoding(headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  sendContinue(res);
  return readBytes(req, maxBytes);
};

/** `utf8` is not registered with IANA, but many clients send it. */
const utf8 = /^utf-?8$/i;

const requireMediaType = (header: string | undefined, mediaTypes: readonly string[]): void => {
  // The common case needs no parsing.
  if (header !== undefined && mediaTypes.includes(header)) return;
  const type = parseMediaType(header);
  if (type === undefined || !mediaTypes.includes(type.essence)) {
    throw new HttpError('unsupported-media-type', `The body must be ${mediaTypes.join(' or ')}.`);
  }
  if (!utf8.test(type.params.get('charset') ?? 'utf-8')) {
    throw new HttpError('unsupported-media-type', 'The charset of the body must be UTF-8.');
  }
};

const parseMediaType = (header: string | undefined): MIMEType | undefined => {
  try {
    return header === undefined ? undefined : new MIMEType(header);
  } catch {
    return undefined;
  }
};

/** A compressed body is rejected: it could expand to any size (zip bomb). */
const requireNoEncoding = (header: string | undefined): void => {
  if (header !== undefined && header.trim().toLowerCase() !== 'identity') {
    throw new HttpError('unsupported-media-type', 'The body must not be compressed.');
  }
};

const readBytes = async (request: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  // Fast path: a short body has arrived with the headers.
  if (request.complete && request.readableLength <= maxBytes) return request.read() ?? emptyBody;
  const length = request.headers['content-length'];
  try {
    return await getRawBody(request, { limit: maxBytes, ...(length === undefined ? {} : { length }) });
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes);
    throw new HttpError('bad-request', 'The body ended before it was complete.', closeConnection);
  }
};

/** The rest of the body is still on its way, so the connection cannot be kept. */
const closeConnection = { Connection: 'close' };

const tooLarge = (maxBytes: number): HttpError =>
  new HttpError('payload-too-large', `The body must have at most ${maxBytes / 1024} KiB.`, closeConnection);

const emptyBody = new Uint8Array();

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'entity.too.large';
