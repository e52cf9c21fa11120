import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { type Config, defaultEventsPollMs } from '../../config/config.ts';
import { SettingError } from '../../config/env-parser.ts';

type Settings = Pick<Config, 'paymentCapture' | 'providerEvents'> & {
  readonly times: Pick<Config['times'], 'eventsPoll'>;
};

/** @throws SettingError for a setting that needs what the payment provider does not offer */
export const requireCapabilities = (
  { name, lifecycle }: PaymentProvider,
  { paymentCapture, providerEvents, times: { eventsPoll } }: Settings,
): void => {
  if (paymentCapture === 'manual' && lifecycle?.capture === undefined)
    throw new SettingError(
      'PAYMENT_CAPTURE',
      `must be automatic: the payment provider ${name} does not offer to capture later.`,
    );
  if (providerEvents !== undefined && lifecycle?.parseWebhook === undefined)
    throw new SettingError(
      'PROVIDER_EVENTS_PORT',
      `must be 0: the payment provider ${name} reads no events.`,
    );
  // Each shop has the default, also one that has no list to read.
  const isChosen = eventsPoll !== 0 && eventsPoll !== defaultEventsPollMs;
  if (isChosen && lifecycle?.listProviderEvents === undefined)
    throw new SettingError(
      'PROVIDER_EVENTS_POLL_MS',
      `must be 0 or left out: the payment provider ${name} has no list of events.`,
    );
};
