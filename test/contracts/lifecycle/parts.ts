import type { ProviderHarness } from '../payment-provider.ts';

const capabilities = ['asksPayer', 'cancel', 'capture', 'chargeAt', 'newsSince', 'readEvent'] as const;

const happenings = [
  ...['consent', 'refuse', 'tryAgain', 'agreeLater', 'rejectLater', 'captureOutside', 'cancelOutside'],
  ...['refundOutside', 'refundLater', 'failRefundLate', 'dispute', 'signEvent', 'setAvailable'],
  ...['forgetIds', 'loseResponses'],
] as const satisfies readonly (keyof NonNullable<ProviderHarness['world']>)[];

/** What a provider can offer beside `find` and `inspect`, and what a test can make happen there. */
export type Part = `followed.${(typeof capabilities)[number]}` | `world.${(typeof happenings)[number]}`;

export const allParts: readonly Part[] = [
  ...capabilities.map((name) => `followed.${name}` as const),
  ...happenings.map((name) => `world.${name}` as const),
];

/** What happens only at providers that offer something. */
const needed: Partial<Record<Part, Part>> = {
  'world.consent': 'followed.asksPayer',
  'world.refuse': 'followed.asksPayer',
  'world.tryAgain': 'followed.asksPayer',
  'world.signEvent': 'followed.readEvent',
  'world.captureOutside': 'followed.capture',
  'world.cancelOutside': 'followed.capture',
};

export const partsOf = ({ provider, world = {} }: ProviderHarness): readonly Part[] => [
  ...capabilities.filter((name) => provider.followed?.[name]).map((name) => `followed.${name}` as const),
  ...happenings.filter((name) => world[name]).map((name) => `world.${name}` as const),
];

/** Why not everything is tested. What cannot happen at a provider is not named beside the capability that it lacks. */
export const missingParts = (harness: ProviderHarness): readonly string[] => {
  if (harness.provider.followed === undefined) return ['followed'];
  const has = new Set(partsOf(harness));
  return allParts.filter((part) => {
    const need = needed[part];
    return !has.has(part) && (need === undefined || has.has(need));
  });
};
