/** A closed load: each connection sends its next request when the last response has arrived. */
export interface LoadOptions {
  readonly port: number;
  /**
   * Requests as they go over the wire, sent in turn, repeatedly. `{key}` becomes a new random key, `{later key}` a new key that
   * sorts behind all before it.
   */
  readonly requests: readonly string[];
  /** Index of the first request. */
  readonly from: number;
  readonly connections: number;
  readonly seconds: number;
  /** Whether each request works once only. The generator in JavaScript ends with the last one; wrk goes on with the first. */
  readonly isOnce?: boolean | undefined;
}

export interface LoadResult {
  /** Number of responses. */
  readonly requests: number;
  readonly seconds: number;
  /** Responses with a status of 400 or above. */
  readonly errorResponses: number;
  /** Requests without a response. */
  readonly failed: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the generator, in seconds. */
  readonly cpu: number;
}

export interface Generator {
  readonly name: string;
  run(load: LoadOptions): Promise<LoadResult>;
}
