/** The comments of a source text and its code without strings, each in the lines that it has there. */
export interface SourceParts {
  readonly comments: string;
  readonly code: string;
}

/** What a part of a text begins with, and where it ends. A regular expression begins where no value can have ended. */
const tokens =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=(?:^|[(,=:[!&|?{};>]|return)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|[`{}]/gm;

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** Divides the source text of TypeScript or JavaScript. The text of a template is no code; what is in its `${}` is. */
export const partsOf = (source: string): SourceParts => {
  let [comments, code, from] = ['', '', 0];
  /** For each template and each block that is open: where one is in a template, its `}` ends code. */
  const open: ('template' | 'block')[] = [];
  const add = (end: number, kind: 'code' | 'comment' | 'text'): void => {
    const text = source.slice(from, end);
    comments += kind === 'comment' ? text : blank(text);
    code += kind === 'code' ? text : blank(text);
    from = end;
  };
  /** The text of a template, up to its end or the next `${`. */
  const addTemplate = (): void => {
    const text = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{|$)/y;
    text.lastIndex = from;
    const [found = ''] = text.exec(source) ?? [];
    add(from + found.length, 'text');
    if (found.endsWith('${')) open.push('template');
    tokens.lastIndex = from;
  };
  tokens.lastIndex = 0;
  for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
    const [text] = token;
    add(token.index, 'code');
    if (text === '{') open.push('block');
    else if (text === '}' && open.pop() === 'template') {
      add(token.index + 1, 'text');
      addTemplate();
    } else if (text === '`') {
      add(token.index + 1, 'text');
      addTemplate();
    } else if (text !== '}') add(token.index + text.length, /^\/[/*]/.test(text) ? 'comment' : 'text');
  }
  add(source.length, 'code');
  return { comments, code };
};
