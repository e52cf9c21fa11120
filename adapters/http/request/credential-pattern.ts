/**
 * Our own tokens, Stripe's keys, and what identity providers give out. The last is looked for only where such a word begins
 * that has the dots behind it: from each `eyJ` on, a long text of nothing else would take seconds.
 */
const credentialPattern =
  /\bptc_[0-9a-f]{32}_|\b[sr]k_(?:live|test)_|(?<![\w-])(?=[\w-]+\.[\w-]+\.)[\w-]*?\beyJ[\w-]/;

/**
 * Whether a text has the form of a credential. Where one stands that belongs into the Authorization header, it is not
 * answered, not logged and not kept.
 */
export const isLikeCredential = (text: string): boolean => credentialPattern.test(text);
