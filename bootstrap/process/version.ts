import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly peerDependencies: { readonly stripe: string };
}

const { version, peerDependencies }: Package = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Of Stripe's SDK: the one that the tests are made with. */
const stripeVersion = peerDependencies.stripe;

export { stripeVersion, version };
