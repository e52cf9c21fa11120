import { inspect } from 'node:util';
import { config } from 'chai';

/** A failure that is cut off cannot be explained afterwards. By default chai shows 40 characters of a value, in characters. */
const shownCharacters = 4_000;

type Body = () => Promise<void> | undefined;

/** Lets a test fail with whole values: with the first value that differs, and where it is. */
export const withWholeValues =
  (body: Body): (() => Promise<void>) =>
  async () => {
    const { truncateThreshold } = config;
    config.truncateThreshold = Math.max(truncateThreshold, shownCharacters);
    try {
      await body();
    } catch (error) {
      throw explained(error);
    } finally {
      config.truncateThreshold = truncateThreshold;
    }
  };

/** What chai says of a comparison that has failed. */
interface Comparison {
  message: string;
  readonly operator: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

const isComparison = (error: unknown): error is Comparison =>
  error instanceof Error && 'operator' in error && error.operator === 'deepStrictEqual';

/** @returns the same error, whose message shows what is different where two values should be equal */
const explained = (error: unknown): unknown => {
  if (!isComparison(error)) return error;
  const found = firstDifference(error.actual, error.expected, []);
  if (found === undefined || found.path.length === 0) return error;
  const [actual, expected] = [found.actual, found.expected].map(shown);
  error.message += `\nIt differs first at ${pathText(found.path)}: ${actual}, expected ${expected}`;
  return error;
};

type Path = readonly (string | number)[];

interface Difference {
  readonly path: Path;
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Where two values differ first. What is missing is the symbol `nothing`. */
const firstDifference = (actual: unknown, expected: unknown, path: Path): Difference | undefined => {
  if (Object.is(actual, expected)) return undefined;
  const [own, other] = [partsOf(actual), partsOf(expected)];
  if (own === undefined || other === undefined || Array.isArray(actual) !== Array.isArray(expected))
    return { path, actual, expected };
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const values = [own, other].map((parts) => (parts.has(key) ? parts.get(key) : nothing));
    const found = firstDifference(values[0], values[1], [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
};

const nothing = Symbol('nothing');

/** The parts of what has any, by name or position; undefined of a text, a number and the like. */
const partsOf = (value: unknown): ReadonlyMap<string | number, unknown> | undefined => {
  if (value instanceof Map || value instanceof Set) return new Map([...value].entries());
  if (Array.isArray(value)) return new Map(value.entries());
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
};

const pathText = (path: Path): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');

const shown = (value: unknown): string => {
  if (value === nothing) return 'nothing';
  const options = {
    depth: null,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Number.POSITIVE_INFINITY,
  };
  const text = inspect(value, options);
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}… (${text.length} characters)`;
};
