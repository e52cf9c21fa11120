import { incompleteCapability } from '#application/payments/provider-capabilities.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { offline } from '#domain/payment.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import { SettingError } from '../../config/env-parser.ts';
import { openAdapter } from '../modules/load-adapter.ts';
import type { Closable } from '../tokens.ts';

/** The parts of a payment provider from outside, each with its type. */
const customProviderParts = {
  name: 'string',
  idempotencyWindowMs: 'number',
  charge: 'function',
  closeCharge: 'function',
  refund: 'function',
  closeRefund: 'function',
  lifecycle: 'object?',
  'lifecycle.asksPayer': 'boolean?',
  'lifecycle.cancel': 'function?',
  'lifecycle.capture': 'function?',
  'lifecycle.findChargeOf': 'function?',
  'lifecycle.listProviderEvents': 'function?',
  'lifecycle.parseWebhook': 'function?',
} as const;

/**
 * Opens the payment provider of a module from outside.
 * @throws SettingError when it cannot be used, of which it is closed again
 */
export const openCustomProvider = async (
  module: AdapterModule,
  timeoutMs: number,
): Promise<Closable<PaymentProvider>> => {
  const provider = await openAdapter<Closable<PaymentProvider>>(module, { timeoutMs }, customProviderParts);
  const fault = faultOf(provider);
  if (fault === undefined) return provider;
  await provider.close?.();
  throw new SettingError('PAYMENT_PROVIDER', `names ${module.file}, whose provider ${fault}.`);
};

/** Why a provider cannot be used, although it has the parts of one. */
const faultOf = ({ name, lifecycle }: PaymentProvider): string | undefined => {
  if (name === offline)
    return `has the name ${offline}, which stands for payments without a provider: change its name`;
  if (lifecycle === undefined) return undefined;
  const missing = (['findCharge', 'retrieveCharge'] as const).find(
    (call) => typeof lifecycle[call] !== 'function',
  );
  if (missing !== undefined)
    return `has lifecycle without ${missing}, a function: add it, or leave lifecycle out`;
  const { capability, need } = incompleteCapability(lifecycle) ?? {};
  if (need === undefined) return undefined;
  return `offers lifecycle.${capability} without lifecycle.${need}: add it, or leave lifecycle.${capability} out`;
};
