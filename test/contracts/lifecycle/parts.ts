import type { ProviderHarness } from '../payment-provider.ts';

const capabilities = [
  'asksPayer',
  'cancel',
  'capture',
  'findChargeOf',
  'listProviderEvents',
  'parseWebhook',
] as const;

const happenings = [
  ...['consent', 'refuse', 'tryAgain', 'agreeLater', 'rejectLater', 'captureExternally', 'cancelExternally'],
  ...['refundExternally', 'refundLater', 'failRefundLate', 'dispute', 'signEvent', 'setAvailable'],
  ...['forgetIds', 'loseResponses'],
] as const satisfies readonly (keyof NonNullable<ProviderHarness['world']>)[];

/** What a provider can offer beside `findCharge` and `retrieveCharge`, and what a test can make happen there. */
export type Part = `lifecycle.${(typeof capabilities)[number]}` | `world.${(typeof happenings)[number]}`;

export const allParts: readonly Part[] = [
  ...capabilities.map((name) => `lifecycle.${name}` as const),
  ...happenings.map((name) => `world.${name}` as const),
];

/** What happens only at providers that offer something. */
const needed: Partial<Record<Part, Part>> = {
  'world.consent': 'lifecycle.asksPayer',
  'world.refuse': 'lifecycle.asksPayer',
  'world.tryAgain': 'lifecycle.asksPayer',
  'world.signEvent': 'lifecycle.parseWebhook',
  'world.captureExternally': 'lifecycle.capture',
  'world.cancelExternally': 'lifecycle.capture',
};

export const partsOf = ({ provider, world = {} }: ProviderHarness): readonly Part[] => [
  ...capabilities.filter((name) => provider.lifecycle?.[name]).map((name) => `lifecycle.${name}` as const),
  ...happenings.filter((name) => world[name]).map((name) => `world.${name}` as const),
];

/** Why not everything is tested. What cannot happen at a provider is not named beside the capability that it lacks. */
export const missingParts = (harness: ProviderHarness): readonly string[] => {
  if (harness.provider.lifecycle === undefined) return ['lifecycle'];
  const has = new Set(partsOf(harness));
  return allParts.filter((part) => {
    const need = needed[part];
    return !has.has(part) && (need === undefined || has.has(need));
  });
};
