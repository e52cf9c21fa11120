/**
 * What comes from elsewhere, such as a name or a line of a file, as a terminal may have it: what would move the cursor, end
 * the line or turn the writing round is shown by its number.
 */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
