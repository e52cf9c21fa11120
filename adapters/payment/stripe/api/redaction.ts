/** Removes secrets from Stripe's texts, which quote an unknown payment method. */
export const redactSecrets =
  (secrets: readonly string[]) =>
  (text: string): string =>
    redactActions(secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text));

/** Removes everything in the form of a token of Stripe, for texts whose token is not known any more. */
export const redactTokens = (text: string): string =>
  redactActions(text).replaceAll(
    /\b(?:tok|ctoken|pm|card|src|sk|rk)_\w+|(?:tok|ctoken|pm|card|src|[sr]k)_[0-9A-Za-z]{14}\w*/g,
    '…',
  );

/** Removes client secrets and all addresses but those of Stripe's documentation: with them the payer consents, or comes back. */
const redactActions = (text: string): string =>
  text
    .replaceAll(/https?:\/\/(?!docs\.stripe\.com\/|stripe\.com\/docs\/)[^\s'"<>]+/gi, '…')
    .replaceAll(/\w+_secret_\w+/g, '…');
