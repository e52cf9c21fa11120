/** A block of a guide that a reader pastes into a shell. */
interface Step {
  readonly command: string;
  /** Why the tests do not run it. */
  readonly notRun: string | undefined;
  /** The output that the guide shows. */
  readonly expected: RegExp | undefined;
}

const fence = /^```(\w+)(?: ([^\n]*))?\n(.*?)\n```$/gms;

const blocksOf = (markdown: string) =>
  [...markdown.matchAll(fence)].map(([, language, note = '', text = '']) => ({ language, note, text }));

/** The shell blocks of a guide, each with the output shown below it. */
export const stepsOf = (markdown: string): readonly Step[] => {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, note, text }, place) => {
    if (language !== 'sh') return [];
    const output = blocks[place + 1];
    const isOutput = output?.language === 'text' || (output?.language === 'json' && output.note === '');
    const expected = isOutput ? patternOf(output.text.replaceAll(ofItsMoment, '…')) : undefined;
    return [{ command: text, notRun: /^not-run: (.+)$/.exec(note)?.[1], expected }];
  });
};

/** Ids and instants, which differ in each shop. */
const ofItsMoment = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** The lines that a page has its reader write into `.env`. */
export const settingsIn = (markdown: string): string =>
  blocksOf(markdown)
    .filter(({ note }) => note === '.env')
    .map(({ text }) => text)
    .join('\n');

/** `…` matches anything, and white space matches any amount of it. */
const patternOf = (text: string): RegExp => {
  const parts = text
    .split('…')
    .map((part) => RegExp.escape(part.trim()).replaceAll(/(?:\\x20|\\n)+/g, '\\s+'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
};

/** The name of a file after the language of a block: `ts my-rules.ts`. */
const fileName = /^[\w.-]+\.\w+$/;

/** Whether a guide shows files, so that it needs a folder with the package. */
export const needsProject = (markdown: string): boolean =>
  blocksOf(markdown).some(({ note }) => fileName.test(note));

/** How long a program in the background may take until it serves, in tenths of a second. */
const startTenths = 300;

/**
 * A shell script that does what a guide shows: it writes its files and runs its commands. A block with the note `background`
 * goes on running once it serves.
 * @param mark printed after each shell block
 */
export const projectScript = (markdown: string, mark: string): string =>
  blocksOf(markdown)
    .flatMap(({ language, note, text }) => {
      if (fileName.test(note)) return [`cat > ${note} <<'END OF FILE'\n${text}\nEND OF FILE`];
      if (language !== 'sh' || note.startsWith('not-run')) return [];
      const command = note === 'background' ? inBackground(text) : text;
      return [command, `echo '${mark}'`];
    })
    .join('\n');

const inBackground = (command: string): string => `
( ${command} ) > background.log 2>&1 &
for tenth in $(seq ${startTenths}); do
  grep -q '^Portico serves' background.log && break
  kill -0 $! || { cat background.log; exit 1; }
  sleep 0.1
done`;
