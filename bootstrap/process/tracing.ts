/** What the preload for traces leaves behind, when there is one. */
interface Tracing {
  /** Of the request that is being answered. */
  readonly traceId: () => string | undefined;
  /** Sends what has not been sent. */
  readonly end: () => Promise<void>;
}

/** Undefined unless the process was started with `bootstrap/process/opentelemetry.mjs`. */
export const activeTracing = (): Tracing | undefined =>
  (globalThis as { readonly [traces]?: Tracing })[traces];

const traces = Symbol.for('portico.traces');
