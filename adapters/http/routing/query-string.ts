import { invalidFields } from '#adapters/wire/json.ts';
import { HttpError } from '../errors.ts';

/** Parameters by their names, as texts. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Parses a query string strictly: no parameter is dropped, joined or guessed.
 * @throws HttpError 'bad-request' for broken percent-encoding
 * @throws DecodeError 'invalid-fields' for a name given twice
 */
export const parseQuery = (queryString: string): Texts => {
  const parameters: Record<string, string> = Object.create(null);
  for (const pair of queryString.split('&')) {
    if (pair === '') continue;
    const separator = pair.indexOf('=');
    const name = percentDecode(separator < 0 ? pair : pair.slice(0, separator));
    if (name in parameters) throw invalidFields([{ field: name, message: 'must be given only once' }]);
    parameters[name] = separator < 0 ? '' : percentDecode(pair.slice(separator + 1));
  }
  return parameters;
};

/** Decodes percent-encoding and `+`. @throws HttpError 'bad-request' */
export const percentDecode = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new HttpError('bad-request', 'The URL has invalid percent-encoding.');
  }
};
