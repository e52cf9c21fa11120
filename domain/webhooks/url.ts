import type { TextRule } from '../rule.ts';
import { httpPattern, urlRule } from '../urls.ts';

const address = urlRule(
  httpPattern,
  () => true,
  'must be an https URL, such as https://example.com/webhooks',
);

/**
 * Where a webhook endpoint receives: https, or http for a receiver that the operator has allowed. Which those are, and
 * which hosts and ports are never called, only the sender of webhooks knows.
 */
export const webhookUrl: TextRule = {
  ...address,
  limits: { violation: (value) => address.limits.violation(value) ?? fragmentIn(value) },
  violation: (value) => address.violation(value) ?? fragmentIn(value),
};

/** A fragment is never sent (RFC 9110 section 7.1), so a receiver that depends on it would wait in vain. */
const fragmentIn = (value: string): string | undefined =>
  value.includes('#') ? 'must not have a fragment' : undefined;
