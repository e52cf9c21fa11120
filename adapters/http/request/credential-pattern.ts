/**
 * Portico's own tokens, Stripe's keys, and JWTs. The lookahead lets a JWT start only at the beginning of a dotted word, which
 * avoids quadratic time on a long text (ReDoS).
 */
const credentialPattern =
  /\bptc_[0-9a-f]{32}_|\b[sr]k_(?:live|test)_|(?<![\w-])(?=[\w-]+\.[\w-]+\.)[\w-]*?\beyJ[\w-]/;

/** Whether a text looks like a credential. Outside of the Authorization header such a text is not echoed, logged or stored. */
export const isLikeCredential = (text: string): boolean => credentialPattern.test(text);
