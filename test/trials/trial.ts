/** An expectation of a trial, and what was observed. */
export interface Finding {
  /** The expectation, as a sentence. */
  readonly expected: string;
  /** The observation, in figures. */
  readonly seen: string;
  readonly held: boolean;
  /** Whether it looks at the clock, so that a busy machine alone can break it. */
  readonly isTimed?: boolean;
}

/** @param judgesTime whether the machine does nothing else, so that what looks at the clock counts, too */
export const isJudged = ({ isTimed = false }: Finding, judgesTime: boolean): boolean =>
  judgesTime || !isTimed;

export interface Conditions {
  /** Whether to run for seconds in place of minutes. */
  readonly isShort: boolean;
  /** How long to load the server, and with how many requests a second, where a trial can choose. */
  readonly seconds?: number;
  readonly rate?: number;
  /** The database, where a trial can choose. */
  readonly kind?: 'postgres' | 'sqlite';
  /** Reports progress. */
  readonly log: (text: string) => void;
  /** Stops what the trial has started, in reverse order. */
  readonly cleanUp: AsyncDisposableStack;
}

/** A fault or an overload that is injected on purpose, with expectations. */
export interface Trial {
  readonly name: string;
  /** One line for the list of trials. */
  readonly description: string;
  /** @throws when the trial could not run */
  run(conditions: Conditions): Promise<readonly Finding[]>;
}
