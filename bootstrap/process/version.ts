import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly peerDependencies: { readonly stripe: string };
  /** A clone has them, an installed package has not. */
  readonly scripts?: object;
}

const { version, peerDependencies, scripts }: Package = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The version of Stripe's SDK that the tests run with. */
const stripeVersion = peerDependencies.stripe;

/** What starts the server here, and what begins every other command. */
const commandLine = scripts
  ? ({ start: 'npm start', portico: 'npm run portico --' } as const)
  : ({ start: 'npx portico start', portico: 'npx portico' } as const);

/** The modules of the typed client, which the package has at its top. */
const clientFolder = new URL(scripts ? '../../adapters/http/client/' : '../../client/', import.meta.url);

export { clientFolder, commandLine, stripeVersion, version };
