import type { ErrorCase, Header, Operation, Parameter, Response, Schema } from './document.ts';

/** What all operations have, described once. */
export interface Common {
  readonly parameters: readonly Parameter[];
  readonly headers: Response['headers'];
  /** Those of errors only. */
  readonly errorHeaders: Response['headers'];
  /** The body of every error. */
  readonly errorSchema: Schema | undefined;
  /** The errors of all operations; several statuses can carry the same one. */
  readonly errors: readonly SharedError[];
}

interface SharedError {
  readonly code: string;
  readonly statuses: readonly string[];
  readonly advice: string;
}

/** What the operations have in common. */
export const commonOf = (operations: readonly Operation[]): Common => {
  const successes = operations.flatMap(({ responses }) =>
    responses.filter(({ status }) => Number(status) < 300),
  );
  const failures = operations.flatMap(({ responses }) => responses.filter(({ errors }) => errors.length > 0));
  const [first] = operations;
  const names = new Set(successes.flatMap(({ headers }) => headers.map(({ name }) => name)));
  return {
    errorSchema: failures[0]?.schema,
    errorHeaders: [
      ...new Map(failures.flatMap(({ headers }) => headers.map((each) => [each.name, each]))).values(),
    ].filter(({ name }) => !names.has(name)),
    parameters: (first?.parameters ?? []).filter(({ name }) =>
      operations.every(({ parameters }) => parameters.some((each) => each.name === name)),
    ),
    headers: (successes[0]?.headers ?? []).filter((header) =>
      successes.every(({ headers }) => headers.some((each) => isSame(each, header))),
    ),
    errors: [...Map.groupBy(casesOf(operations), ({ code }) => code)].map(([code, cases]) => ({
      code,
      statuses: [...new Set(cases.map(({ status }) => status))].toSorted(),
      advice: cases[0]?.advice ?? '',
    })),
  };
};

const isSame = (one: Header, other: Header): boolean => JSON.stringify(one) === JSON.stringify(other);

const casesOf = (operations: readonly Operation[]): readonly ErrorCase[] =>
  operations.flatMap(({ responses }) => responses.flatMap(({ errors }) => errors));

/** Divides the errors of an operation into those that its description explains, and those of many operations. */
export const errorsOf = ({
  description,
  responses,
}: Operation): { readonly own: readonly ErrorCase[]; readonly shared: readonly ErrorCase[] } => {
  const cases = responses.flatMap(({ errors }) => errors);
  const explained = new Set(
    [...description.matchAll(/^- (\d{3}) `(\w+)`/gm)].map(([, status, code]) => `${status} ${code}`),
  );
  const isOwn = ({ status, code }: ErrorCase): boolean => explained.has(`${status} ${code}`);
  return { own: cases.filter(isOwn), shared: cases.filter((each) => !isOwn(each)) };
};

/** A text without the list of errors at its end, which pages show in another form. */
export const withoutErrors = (description: string): string =>
  description.split(/(?:^|\n\n)[^\n]*:\n\n- \d{3} `/)[0] ?? '';
