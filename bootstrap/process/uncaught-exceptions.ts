interface Surroundings {
  on(event: 'uncaughtException', then: (error: unknown) => void): unknown;
}

/**
 * Aborts at the first error that nobody caught, a rejected promise's included: Node hands those on as such. After it
 * nobody knows in which state the process is, so it has to end; but others who are served meanwhile need not suffer.
 * @param report is told of each
 */
export const onUncaughtException = (
  surroundings: Surroundings,
  report: (error: unknown) => void,
): AbortSignal => {
  const controller = new AbortController();
  surroundings.on('uncaughtException', (error) => {
    report(error);
    controller.abort();
  });
  return controller.signal;
};
