/** What is asked for, over and over. */
export interface Load {
  readonly port: number;
  /**
   * As they go over the wire. Each time one of them is chosen at random; where it says `{key}`, a key comes that nobody
   * has used before.
   */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** What came of it. */
export interface Outcome {
  /** Answered. */
  readonly requests: number;
  readonly seconds: number;
  /** How many of them with a status from 400. */
  readonly refused: number;
  /** How many were not answered. */
  readonly failed: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** How much of a core it took to ask. */
  readonly cpu: number;
}

export interface Generator {
  readonly name: string;
  /** Whole seconds, where it knows no others. */
  readonly shortest: number;
  run(load: Load): Promise<Outcome>;
}
