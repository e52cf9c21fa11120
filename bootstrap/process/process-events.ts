interface ExceptionSource {
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
}

/**
 * Reports every uncaught exception, and every unhandled rejection: Node raises those as exceptions.
 * @returns aborts at the first one. The state of the process is unknown from then on, so it should shut down, but requests in
 * flight can still finish.
 */
export const onUncaughtException = (
  source: ExceptionSource,
  report: (error: unknown) => void,
): AbortSignal => {
  const controller = new AbortController();
  source.on('uncaughtException', (error) => {
    report(error);
    controller.abort();
  });
  return controller.signal;
};

interface WarningSource {
  on(event: 'warning', listener: (warning: Error) => void): unknown;
  off(event: 'warning', listener: (...args: unknown[]) => void): unknown;
  // biome-ignore lint/complexity/noBannedTypes: the type that Node declares.
  listeners(event: 'warning'): Function[];
}

/** Bounds the memory that remembers which warnings have been reported. */
const maxRemembered = 1_000;

/**
 * Reports the warnings of Node, of drivers and of libraries in place of Node's own listener, which prints them to standard
 * error. With `NODE_NO_WARNINGS` there is no such listener, and nothing is reported.
 * @param report gets each warning once, however often it is emitted
 */
export const onNodeWarning = (source: WarningSource, report: (warning: Error) => void): void => {
  const printers = source.listeners('warning').filter(({ name }) => name === 'onWarning');
  if (printers.length === 0) return;
  for (const printer of printers) source.off('warning', printer as () => void);
  const reported = new Set<string>();
  source.on('warning', (warning) => {
    const text = `${warning.name}: ${warning.message}`;
    if (reported.has(text)) return;
    if (reported.size < maxRemembered) reported.add(text);
    report(warning);
  });
};
