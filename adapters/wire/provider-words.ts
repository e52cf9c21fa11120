import { text as anyText } from '#domain/text.ts';
import { described } from './codec.ts';
import { text } from './codecs.ts';
import { strictObject } from './object-codec.ts';

/** Text from the payment provider, which defines its own codes and references. */
export const providerText = anyText(0, 5000);

/** Why the provider declined. */
export const failure = strictObject({
  code: described(text(providerText), 'The error code of the payment provider.', 'card_declined'),
  message: described(text(providerText), 'The reason, for people.', 'The card was declined.'),
});
