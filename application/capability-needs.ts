import type { FollowedCharges } from './ports/followed-charges.ts';

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
