/** The part of Highlight.js that the pages use; it ships no types for its modules of browsers. */
declare const highlighter: {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
};

export default highlighter;
