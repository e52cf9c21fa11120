/** A block of a guide that a reader pastes into a shell. */
interface Step {
  readonly command: string;
  /** Why the tests do not run it. */
  readonly notRun: string | undefined;
  /** The output that the guide shows. */
  readonly expected: RegExp | undefined;
}

const fence = /^```(\w+)(?: ([^\n]*))?\n(.*?)\n```$/gms;

/** The shell blocks of a guide, each with the output shown below it. */
export const stepsOf = (markdown: string): readonly Step[] => {
  const blocks = [...markdown.matchAll(fence)].map(([, language, note, text = '']) => ({
    language,
    note,
    text,
  }));
  return blocks.flatMap(({ language, note, text }, place) => {
    if (language !== 'sh') return [];
    const output = blocks[place + 1];
    const expected = output?.language === 'text' ? patternOf(output.text) : undefined;
    return [{ command: text, notRun: /^not-run: (.+)$/.exec(note ?? '')?.[1], expected }];
  });
};

/** `…` matches anything, and white space matches any amount of it. */
const patternOf = (text: string): RegExp => {
  const parts = text
    .split('…')
    .map((part) => RegExp.escape(part.trim()).replaceAll(/(?:\\x20|\\n)+/g, '\\s+'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
};
