import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly peerDependencies: { readonly stripe: string };
}

const { version, peerDependencies }: Package = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The version of Stripe's SDK that the tests run with. */
const stripeVersion = peerDependencies.stripe;

export { stripeVersion, version };
