/** What the OpenTelemetry preload offers to the process. */
interface Tracing {
  /** The trace of the request in progress. */
  readonly traceId: () => string | undefined;
  /** Sends the spans that are still buffered. */
  readonly end: () => Promise<void>;
}

/** Undefined unless the process was started with `--import ./bootstrap/process/opentelemetry.mjs`. */
export const activeTracing = (): Tracing | undefined =>
  (globalThis as { readonly [tracing]?: Tracing })[tracing];

const tracing = Symbol.for('portico.traces');
