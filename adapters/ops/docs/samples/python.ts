import { block, doubleQuoted, writeValue } from './literals.ts';
import { headersOf, keyOf, type SampleRequest, urlOf } from './request.ts';

const syntax = {
  indent: '    ',
  key: doubleQuoted,
  text: doubleQuoted,
  words: { null: 'None', true: 'True', false: 'False' },
  hasTrailingComma: true,
  space: '',
} as const;

/** A program that needs nothing but Python's own library. */
export const python = (request: SampleRequest): string => {
  const { method, body } = request;
  const headers = [
    ['Authorization', `Bearer ${keyOf(request)}`] as const,
    ...headersOf(request),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ];
  const parts = [
    doubleQuoted(urlOf(request)),
    `method=${doubleQuoted(method)}`,
    `headers=${writeValue(Object.fromEntries(headers), syntax, syntax.indent)}`,
    ...(body === undefined ? [] : [`data=json.dumps(${writeValue(body, syntax, syntax.indent)}).encode()`]),
  ];
  const needsJson = body !== undefined || method !== 'DELETE';
  return `# Standard library only.
${needsJson ? 'import json\n' : ''}import urllib.request

request = urllib.request.Request${block('(', parts, ')', syntax)}
with urllib.request.urlopen(request) as response:
    print(${method === 'DELETE' ? 'response.status' : 'json.load(response)'})`;
};
