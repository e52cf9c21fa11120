// Not a timer: in a tab that is not seen it would wait for a second.
const { port1, port2 } = new MessageChannel();
port1.start();

/** Lets the browser draw and receive clicks before a long work goes on. */
export const yieldToBrowser = (): Promise<void> =>
  new Promise<void>((resolve) => {
    port1.addEventListener('message', () => resolve(), { once: true });
    port2.postMessage(undefined);
  });
