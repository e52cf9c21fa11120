interface ServerScheme {
  /** As it is to be written: `postgres`. */
  readonly scheme: string;
  /** Those that are accepted. */
  readonly own: RegExp;
  /** Those of other tools for the same server. */
  readonly foreign: RegExp;
}

/**
 * What to write in place of a text that is no URL of any database but was meant for a server. It shows nothing of the text but
 * the scheme of another tool.
 * @returns a sentence without its full stop; undefined for a text that was meant for something else
 */
export const serverUrlAdvice = (text: string, { scheme, own, foreign }: ServerScheme): string | undefined => {
  const [, written] = foreign.exec(text) ?? [];
  if (written !== undefined) return `Write ${scheme}:// in place of ${written}`;
  const [, name, rest] = /^([a-z]+):\/\/(.*)$/is.exec(text) ?? [];
  if (name === undefined || rest === undefined || !own.test(name)) return undefined;
  const userEnd = rest.lastIndexOf('@');
  if (/[/?#\s]|%(?![\da-f]{2})/i.test(rest.slice(0, Math.max(userEnd, 0)))) {
    return 'In the user and the password, write %23 for #, %2F for /, %3F for ?, %25 for % and %40 for @';
  }
  const [host = '', database] =
    rest
      .slice(userEnd + 1)
      .split(/[?#]/, 1)[0]
      ?.split('/') ?? [];
  if (host === '') return 'Name the host behind the @';
  if (host.includes(',')) return 'Name one host: that of the primary';
  if (!database) return 'Name the database behind the host, as in /shop';
  return undefined;
};
