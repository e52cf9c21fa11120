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
  reverse: 'function',
  closeReversal: 'function',
  followed: 'object?',
  'followed.asksPayer': 'boolean?',
  'followed.cancel': 'function?',
  'followed.capture': 'function?',
  'followed.chargeAt': 'function?',
  'followed.newsSince': 'function?',
  'followed.readEvent': 'function?',
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
const faultOf = ({ name, followed }: PaymentProvider): string | undefined => {
  if (name === offline)
    return `has the name ${offline}, which stands for payments without a provider: change its name`;
  if (followed === undefined) return undefined;
  const missing = (['find', 'inspect'] as const).find((call) => typeof followed[call] !== 'function');
  if (missing !== undefined)
    return `has followed without ${missing}, a function: add it, or leave followed out`;
  const { capability, need } = incompleteCapability(followed) ?? {};
  if (need === undefined) return undefined;
  return `offers followed.${capability} without followed.${need}: add it, or leave followed.${capability} out`;
};
