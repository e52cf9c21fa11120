/** Our own tokens, Stripe's keys, and what identity providers give out. */
const form = /\bptc_[0-9a-f]{32}_|\b[sr]k_(?:live|test)_|\beyJ[\w-]+\.[\w-]+\./;

/**
 * Whether a text has the form of a credential. Where one stands that belongs into the Authorization header, it is not
 * answered, not logged and not kept.
 */
export const isLikeCredential = (text: string): boolean => form.test(text);
