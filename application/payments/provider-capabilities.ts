import type { ChargeLifecycle, CompleteChargeLifecycle } from '../ports/charge-lifecycle.ts';

type Capability = keyof ChargeLifecycle;

/** What a provider must offer besides, so that what it offers can be used. */
const needs: readonly (readonly [capability: Capability, need: Capability])[] = [
  ['asksPayer', 'cancel'],
  ['capture', 'cancel'],
  ['listProviderEvents', 'findChargeOf'],
  ['parseWebhook', 'findChargeOf'],
];

/** @returns the first capability that needs another one which is omitted */
export const incompleteCapability = (
  lifecycle: ChargeLifecycle,
): { readonly capability: Capability; readonly need: Capability } | undefined => {
  const [found] = needs.filter(([capability, need]) => lifecycle[capability] && !lifecycle[need]);
  return found && { capability: found[0], need: found[1] };
};

type Calls = Required<Omit<CompleteChargeLifecycle, 'asksPayer'>>;

/** What wraps each call. */
type Wrappers = { readonly [Name in keyof Calls]: (call: Calls[Name]) => Calls[Name] };

/** Wraps each call that a provider offers. What it omits stays omitted. */
export const wrappedLifecycle = (lifecycle: ChargeLifecycle, wrap: Wrappers): ChargeLifecycle => ({
  asksPayer: lifecycle.asksPayer === true,
  findCharge: wrap.findCharge(lifecycle.findCharge.bind(lifecycle)),
  retrieveCharge: wrap.retrieveCharge(lifecycle.retrieveCharge.bind(lifecycle)),
  ...(lifecycle.cancel && { cancel: wrap.cancel(lifecycle.cancel.bind(lifecycle)) }),
  ...(lifecycle.capture && { capture: wrap.capture(lifecycle.capture.bind(lifecycle)) }),
  ...(lifecycle.findChargeOf && { findChargeOf: wrap.findChargeOf(lifecycle.findChargeOf.bind(lifecycle)) }),
  ...(lifecycle.listProviderEvents && {
    listProviderEvents: wrap.listProviderEvents(lifecycle.listProviderEvents.bind(lifecycle)),
  }),
  ...(lifecycle.parseWebhook && { parseWebhook: wrap.parseWebhook(lifecycle.parseWebhook.bind(lifecycle)) }),
});
