/** Takes secrets out of a text that somebody else wrote: Stripe quotes a payment method that it does not know. */
export const hideIn =
  (secrets: readonly string[]) =>
  (text: string): string =>
    secrets.reduce((safe, secret) => safe.replaceAll(secret, '…'), text);

/** As `hideIn`, where nobody knows any more which token it was: whatever looks like one of Stripe's is taken out. */
export const hideTokens = (text: string): string => text.replaceAll(/\b(tok|pm|card|src|sk|rk)_\w+/g, '…');
