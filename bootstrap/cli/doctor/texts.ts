import { snakeCase } from '#adapters/wire/codec.ts';
import { readAll } from '#application/pages.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { ReadRepositories } from '#application/ports/repositories.ts';
import { ApiKey } from '#domain/api-key.ts';
import type { FieldError } from '#domain/errors.ts';
import { Product } from '#domain/product.ts';
import { Review } from '#domain/review.ts';
import { outdated } from '#domain/rule.ts';
import { User } from '#domain/user.ts';
import type { inspectStore } from '../../composition/ports/open-store.ts';
import type { Database } from '../../config/database.ts';
import { errorLines, fieldErrorsText } from '../error-messages.ts';
import { readStored } from './stored.ts';

const { ok, warn } = findingsFor('texts');

/** A stored resource with the rules that its texts break. */
interface Checked {
  readonly what: string;
  readonly id: string;
  readonly fieldErrors: readonly FieldError[];
}

/** All resources whose texts have rules, one after the other. */
async function* checkedResources(repositories: ReadRepositories): AsyncGenerator<Checked, void, undefined> {
  const { products, users, reviews, apiKeys } = repositories;
  for await (const product of readAll(products, {}))
    yield { what: 'product', id: product.id, fieldErrors: outdated(Product.rules, product) };
  for await (const user of readAll(users, {}))
    yield { what: 'user', id: user.id, fieldErrors: outdated(User.rules, user) };
  for await (const review of readAll(reviews, {}))
    yield { what: 'review', id: review.id, fieldErrors: outdated(Review.rules, review) };
  for await (const key of readAll(apiKeys, {}))
    yield { what: 'API key', id: key.id, fieldErrors: outdated(ApiKey.rules, key) };
}

/** Bounds the finding, however many rows break a rule. */
const maxNamed = 5;

export interface TextOptions {
  /** When to stop reading, in milliseconds. Infinity reads all rows. */
  readonly timeLimitMs: number;
  readonly inspect?: typeof inspectStore;
}

/**
 * Whether stored texts break rules that were made after them. They stay valid as they are, so that is only a warning. Reads the
 * rows of four tables until the time is over.
 */
export const checkTexts = async (
  database: Database,
  { timeLimitMs, inspect }: TextOptions,
): Promise<readonly Finding[]> => {
  try {
    const deadline = performance.now() + timeLimitMs;
    const texts = await readStored(database, (repositories) => readTexts(repositories, deadline), inspect);
    return texts === undefined ? [] : [findingOf(texts, timeLimitMs)];
  } catch (error) {
    return [warn(`cannot be checked: ${errorLines(error).join(' ')}`, 'Run portico doctor again.')];
  }
};

interface Texts {
  readonly read: number;
  readonly broken: number;
  /** The first rows that break a rule. */
  readonly named: readonly string[];
  /** Whether all rows were read. */
  readonly isComplete: boolean;
}

const readTexts = async (repositories: ReadRepositories, deadline: number): Promise<Texts> => {
  const named: string[] = [];
  let [read, broken] = [0, 0];
  for await (const { what, id, fieldErrors } of checkedResources(repositories)) {
    if (performance.now() >= deadline) return { read, broken, named, isComplete: false };
    read += 1;
    if (fieldErrors.length === 0) continue;
    broken += 1;
    if (named.length < maxNamed) named.push(`${what} ${id} (${fieldErrorsText(fieldErrors.map(asInApi))})`);
  }
  return { read, broken, named, isComplete: true };
};

const asInApi = ({ field, message }: FieldError): FieldError => ({ field: snakeCase(field), message });

const findingOf = ({ read, broken, named, isComplete }: Texts, timeLimitMs: number): Finding => {
  const rows = `${read} ${read === 1 ? 'row' : 'rows'}`;
  const extent = isComplete
    ? rows
    : `the first ${rows}, all that ${timeLimitMs / 1_000} seconds allow (portico doctor --production reads the others, too)`;
  if (broken === 0) return ok(`no stored text breaks a rule for new ones, in ${extent}`);
  const others = broken > named.length ? ` and ${broken - named.length} more` : '';
  const verb = broken === 1 ? 'has a text that breaks' : 'have texts that break';
  return warn(
    `${broken} of ${extent} ${verb} a rule for new ones: ${named.join(', ')}${others}`,
    'They stay valid as they are. To correct one, send a PATCH with the new text.',
  );
};
