/** What a trial was to find, and what it found. */
export interface Finding {
  /** What has to be so, as a sentence. */
  readonly expected: string;
  /** What was measured, in figures. */
  readonly seen: string;
  readonly held: boolean;
}

export interface Conditions {
  /** Whether a look will do: seconds in place of minutes, and the same expectations. */
  readonly isShort: boolean;
  /** Tells a person who waits how far it is. */
  readonly tell: (text: string) => void;
  /** What was started ends with the trial, in the opposite order. */
  readonly cleanUp: AsyncDisposableStack;
}

/** A fault, or more work than there is room for, brought about on purpose, and what came of it. */
export interface Trial {
  readonly name: string;
  /** One line for the list of trials. */
  readonly says: string;
  /** @throws when it could not be held at all */
  run(conditions: Conditions): Promise<readonly Finding[]>;
}
