import { ApplicationError } from '#application/errors.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { openCustomProvider } from '../../composition/ports/custom-provider.ts';
import { requireCapabilities } from '../../composition/ports/required-capabilities.ts';
import type { Config } from '../../config/config.ts';
import { SettingError } from '../../config/env-parser.ts';

const provider = findingsFor('provider');

/** Whether a payment provider from outside can be opened, and offers what the settings need. The built-in ones offer everything. */
export const checkCapabilities = async (
  config: Pick<Config, 'payment' | 'paymentCapture' | 'providerEvents' | 'times'>,
): Promise<readonly Finding[]> => {
  const { payment, times } = config;
  if (payment.provider !== 'custom') return [];
  try {
    const opened = await openCustomProvider(payment.module, times.payment);
    try {
      requireCapabilities(opened, config);
    } finally {
      await opened.close?.();
    }
    return [];
  } catch (error) {
    if (error instanceof SettingError)
      return [provider.fail(error.message, 'Correct the setting or the module.')];
    if (!(error instanceof ApplicationError)) throw error;
    const message = `${payment.module.file} cannot be opened: ${error.message}`;
    return [provider.fail(message, 'Check that this machine reaches the provider, and the credentials.')];
  }
};
