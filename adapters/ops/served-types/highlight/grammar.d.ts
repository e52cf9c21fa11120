/** A language of Highlight.js. */
declare const grammar: unknown;

export default grammar;
