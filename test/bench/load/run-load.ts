import type { Generator, LoadOptions, LoadResult } from './generator.ts';

export interface Load extends LoadOptions {
  /** Requests that half of the connections send meanwhile. The other half sends `requests`. */
  readonly beside?: readonly string[] | undefined;
}

export interface LoadWithBeside extends LoadResult {
  /** Number of responses to the requests beside; `requests` does not include them, and no percentile does. */
  readonly besideRequests: number;
}

/** Runs one load, or two at once. Errors, failures and CPU time are those of both. */
export const runLoad = async (generator: Generator, { beside, ...load }: Load): Promise<LoadWithBeside> => {
  if (beside === undefined) return { ...(await generator.run(load)), besideRequests: 0 };
  const connections = Math.ceil(load.connections / 2);
  const [measured, other] = await Promise.all([
    generator.run({ ...load, connections }),
    generator.run({ ...load, connections, requests: beside }),
  ]);
  return {
    ...measured,
    besideRequests: other.requests,
    errorResponses: measured.errorResponses + other.errorResponses,
    failed: measured.failed + other.failed,
    // A generator reads the CPU time of this process and its children, so the one that ends last has read that of both.
    cpu: Math.max(measured.cpu, other.cpu),
  };
};
