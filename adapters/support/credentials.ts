/** Secrets of webhook endpoints, Portico's (base64 of 32 bytes) and Stripe's. The first letters, which are shown, are no secret. */
const webhookSecrets = 'whsec_(?:[0-9A-Za-z+/]|%2[BbFf]){24,}';

/**
 * Portico's own tokens and Stripe's keys, wherever they begin: a prefix such as `key_` makes no credential harmless. Behind a
 * letter, digit or `_` a key of Stripe needs a secret of its usual length, because `task_test_1` is none.
 */
const keys = String.raw`pt[cp]_[0-9a-f]{32}_|\b[sr]k_(?:live|test)_|[sr]k_(?:live|test)_[0-9A-Za-z]{16}`;

/**
 * JWTs. A match starts only at the beginning of a dotted word, which avoids quadratic time on a long text (ReDoS). Behind a letter,
 * digit or `_` the claims must have the form of claims, too, because `monkeyJungle.com.au` is none.
 */
const jwts = String.raw`(?<![\w-])(?:(?=[\w-]+\.[\w-]+\.)[\w-]*?\beyJ[\w-]|(?=[\w-]+\.eyJ[\w-]+\.)[\w-]*?eyJ[\w-])`;

const credential = new RegExp(`${keys}|${webhookSecrets}|${jwts}`);

/** The same with their whole length, to be replaced in a text. */
const wholeCredential = new RegExp(
  [
    'pt[cp]_[0-9a-f]{32}_[0-9A-Za-z]{10,}',
    String.raw`\b[sr]k_(?:live|test)_\w+|[sr]k_(?:live|test)_[0-9A-Za-z]{16}\w*`,
    `${webhookSecrets}(?:=|%3[Dd])?`,
    String.raw`(?<![\w-])(?=[\w-]+\.[\w-])[\w-]*?\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?`,
    String.raw`(?<![\w-])(?=[\w-]+\.eyJ[\w-])[\w-]*?eyJ[\w-]{8,}\.eyJ[\w-]+(?:\.[\w-]*)?`,
  ].join('|'),
  'g',
);

/** Keys that have no form by which they could be recognized, and how many parts of this process know them. */
const known = new Map<string, number>();

/**
 * Makes a key of the configuration count as a credential in this process, whatever its form.
 * @returns makes it an ordinary text again
 */
export const protectKey = (key: string | undefined): (() => void) => {
  if (key === undefined) return () => undefined;
  known.set(key, (known.get(key) ?? 0) + 1);
  return () => {
    const rest = (known.get(key) ?? 1) - 1;
    if (rest > 0) known.set(key, rest);
    else known.delete(key);
  };
};

/** Whether a text contains a credential. Outside of the Authorization header such a text is not echoed, logged or stored. */
export const containsCredential = (text: string): boolean => {
  for (const key of known.keys()) if (text.includes(key)) return true;
  return credential.test(text);
};

/** A shorter credential may occur in another text by chance. */
const minContainedLength = 12;

/**
 * Whether a text is or contains the credential that the request itself carries, whatever its form.
 * @param authorization the Authorization header
 */
export const containsOwnCredential = (text: string, authorization = ''): boolean => {
  const own = authorization.slice(authorization.indexOf(' ') + 1).trim();
  return own !== '' && (text === own || (own.length >= minContainedLength && text.includes(own)));
};

/** Replaces everything that has the form of a credential. */
export const redactCredentials = (text: string): string => text.replace(wholeCredential, '…');
