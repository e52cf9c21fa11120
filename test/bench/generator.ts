/** What is asked for, over and over. */
export interface Load {
  readonly port: number;
  /**
   * As they go over the wire, one after the other, and from the first again. For `{key}` a key comes that is new, for
   * `{later key}` one that sorts behind those before it, too.
   */
  readonly requests: readonly string[];
  /** With which of them it begins. */
  readonly from: number;
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
  /** CPU time that it took to ask, in seconds. */
  readonly cpu: number;
}

export interface Generator {
  readonly name: string;
  run(load: Load): Promise<Outcome>;
}
