/** A block of a guide that a reader pastes into a shell. */
interface Step {
  readonly command: string;
  /** Why it is shown only. */
  readonly notRun: string | undefined;
  /** What the guide says comes back. */
  readonly expected: RegExp | undefined;
}

const fence = /^```(\w+)(?: ([^\n]*))?\n(.*?)\n```$/gms;

/** The blocks of a guide, each with what is shown below it as the answer. */
export const stepsOf = (markdown: string): readonly Step[] => {
  const blocks = [...markdown.matchAll(fence)].map(([, language, note, text = '']) => ({
    language,
    note,
    text,
  }));
  return blocks.flatMap(({ language, note, text }, place) => {
    if (language !== 'sh') return [];
    const answer = blocks[place + 1];
    const expected = answer?.language === 'text' ? like(answer.text) : undefined;
    return [{ command: text, notRun: /^not-run: (.+)$/.exec(note ?? '')?.[1], expected }];
  });
};

/** `…` stands for anything, and where there is white space, its amount does not matter. */
const like = (text: string): RegExp => {
  const parts = text
    .split('…')
    .map((part) => RegExp.escape(part.trim()).replaceAll(/(?:\\x20|\\n)+/g, '\\s+'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
};
