// Preload for a server that records no events, so that their cost can be measured: its unit of work is the store's own.
import { registerHooks } from 'node:module';

const recorder = '/application/events/recorded-unit-of-work.ts';

registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith(recorder)
      ? {
          format: 'module',
          shortCircuit: true,
          source: 'export const recordedUnitOfWork = (store) => store;',
        }
      : nextLoad(url, context),
});
