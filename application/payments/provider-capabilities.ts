import type { AllFollowedCharges, FollowedCharges } from '../ports/charge-lifecycle.ts';

type Capability = keyof FollowedCharges;

/** What a provider must offer besides, so that what it offers can be used. */
const needs: readonly (readonly [capability: Capability, need: Capability])[] = [
  ['asksPayer', 'cancel'],
  ['capture', 'cancel'],
  ['newsSince', 'chargeAt'],
  ['readEvent', 'chargeAt'],
];

/** @returns the first capability of which something that it needs is left out */
export const incompleteCapability = (
  followed: FollowedCharges,
): { readonly capability: Capability; readonly need: Capability } | undefined => {
  const [found] = needs.filter(([capability, need]) => followed[capability] && !followed[need]);
  return found && { capability: found[0], need: found[1] };
};

type Calls = Required<Omit<AllFollowedCharges, 'asksPayer'>>;

/** What is put around each call. */
type Wrappers = { readonly [Name in keyof Calls]: (call: Calls[Name]) => Calls[Name] };

/** Puts something around each call that a provider offers. What it leaves out stays left out. */
export const wrappedFollowedCharges = (followed: FollowedCharges, wrap: Wrappers): FollowedCharges => ({
  asksPayer: followed.asksPayer === true,
  find: wrap.find(followed.find.bind(followed)),
  inspect: wrap.inspect(followed.inspect.bind(followed)),
  ...(followed.cancel && { cancel: wrap.cancel(followed.cancel.bind(followed)) }),
  ...(followed.capture && { capture: wrap.capture(followed.capture.bind(followed)) }),
  ...(followed.chargeAt && { chargeAt: wrap.chargeAt(followed.chargeAt.bind(followed)) }),
  ...(followed.newsSince && { newsSince: wrap.newsSince(followed.newsSince.bind(followed)) }),
  ...(followed.readEvent && { readEvent: wrap.readEvent(followed.readEvent.bind(followed)) }),
});
