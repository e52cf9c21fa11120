/** Shorter words may stand in a text by chance, and to take them out would tell more than to leave them. */
const least = 12;

/**
 * What a URL says of whoever connects: `postgres://user:password@host`. Here and below a word is looked at from where it
 * begins only, so that no text takes more time than its length says.
 */
const credentials = /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:/@"]*):[^\s/@"]+@/gi;

/** Tokens by their form: our own, Stripe's, and those of identity providers. */
const tokens =
  /\bptc_[0-9a-f]{32}_[0-9A-Za-z]{10,}|\b[sr]k_(?:live|test)_\w+|(?<![\w-])(?=[\w-]+\.[\w-])[\w-]*?\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g;

/** What every text has that the two above have anything to do with. */
const suspicious = /:\/\/|ptc_|k_|eyJ/i;

/**
 * Takes secrets out of a text that somebody else wrote: those that are known, and whatever has the form of one.
 * @param secrets as they are; in the text they may stand as JSON or in a URL
 */
export const hideIn = (secrets: readonly string[]): ((text: string) => string) => {
  const known = [...new Set(secrets.filter(({ length }) => length >= least).flatMap(spellings))];
  return (text) => {
    let safe = text;
    for (const secret of known) if (safe.includes(secret)) safe = safe.replaceAll(secret, '…');
    return suspicious.test(safe) ? safe.replace(credentials, '$1:…@').replace(tokens, '…') : safe;
  };
};

const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
];
