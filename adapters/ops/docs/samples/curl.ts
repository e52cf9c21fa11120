import { doubleQuoted, writeValue } from './literals.ts';
import { headersOf, keyOf, type SampleRequest, urlOf } from './request.ts';

const json = {
  indent: '  ',
  key: doubleQuoted,
  text: doubleQuoted,
  hasTrailingComma: false,
  space: '',
} as const;

/** A command for a POSIX shell. Options of curl before version 7.82, which many systems still have. */
export const curl = (request: SampleRequest): string => {
  const { body } = request;
  const parts = [
    `curl${showsHeaders(request) ? ' -i' : ''}${methodOption(request)} ${quoted(urlOf(request))}`,
    header('Authorization', `Bearer ${keyOf(request)}`),
    ...headersOf(request).map(([name, value]) => header(name, value)),
    ...(body === undefined
      ? []
      : [header('Content-Type', 'application/json'), `-d ${quoted(writeValue(body, json))}`]),
  ];
  return parts.join(' \\\n  ');
};

/** Without a body curl sends GET, with one POST. */
const methodOption = ({ method, body }: SampleRequest): string =>
  method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`;

/** A response that may be without a body shows nothing else. */
const showsHeaders = (request: SampleRequest): boolean =>
  request.method === 'DELETE' || headersOf(request).some(([name]) => name === 'If-None-Match');

const header = (name: string, value: string): string => `-H ${quoted(`${name}: ${value}`)}`;

/** In single quotes a shell changes nothing. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
