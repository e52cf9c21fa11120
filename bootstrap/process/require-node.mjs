// Preload for programs in TypeScript, which an older Node cannot load: `node --import ./bootstrap/process/require-node.mjs FILE.ts`.
import { failAsTooOld, isNodeSupported } from './node-version.mjs';

if (!isNodeSupported()) {
  failAsTooOld('Install it, or run node bootstrap/prepare.mjs, which installs it for npm run and npm test.');
}
