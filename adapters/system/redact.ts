/** A shorter secret may occur by chance, and its gap in ordinary text would reveal it. */
const minSecretLength = 12;

/**
 * The password in a URL: `postgres://user:password@host`. These patterns match only from the start of a word, so that the time
 * they take stays linear in the length of the text.
 */
const urlCredentials = /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:/@"]*):[^\s/@"]+@/gi;

/** API keys of Portico, keys of Stripe, and JWTs. */
const tokens =
  /\bptc_[0-9a-f]{32}_[0-9A-Za-z]{10,}|\b[sr]k_(?:live|test)_\w+|(?<![\w-])(?=[\w-]+\.[\w-])[\w-]*?\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g;

/** A cheap test: a text that fails it matches neither pattern above. */
const mayContainSecret = /:\/\/|ptc_|k_|eyJ/i;

/**
 * Returns a function that replaces secrets in a text with `…`: the given ones, and whatever has the form of a credential.
 * @param secrets in plain; their spellings in JSON and in URLs are replaced, too
 */
export const redactor = (secrets: readonly string[]): ((text: string) => string) => {
  const known = [...new Set(secrets.filter(({ length }) => length >= minSecretLength).flatMap(spellingsOf))];
  return (text) => {
    let redacted = text;
    for (const secret of known) if (redacted.includes(secret)) redacted = redacted.replaceAll(secret, '…');
    return mayContainSecret.test(redacted)
      ? redacted.replace(urlCredentials, '$1:…@').replace(tokens, '…')
      : redacted;
  };
};

const spellingsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
];
