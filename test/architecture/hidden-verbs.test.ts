import { expect } from 'chai';
import { hiddenVerbsIn, isInCleanFolder } from './hidden-verbs.ts';
import { codeFiles } from './hidden-words.ts';
import { foldersWithVerbs } from './unclean-folders.ts';

const wordsIn = (source: string): readonly string[] =>
  hiddenVerbsIn('a/b.ts', source).map(({ word }) => word);

describe('The check for verbs that hide what is done', () => {
  it('finds them in comments, in each form', () => {
    expect(wordsIn('/** Takes it.\n * It LOOKED away. */\nconst a = 1; // left')).to.deep.equal([
      ...['Takes', 'LOOKED', 'left'],
    ]);
  });

  it('finds them as words of names', () => {
    expect(wordsIn('const takenAt = { LOOK_AT: 1, mistake: staked };')).to.deep.equal(['takenAt', 'LOOK_AT']);
  });

  it('finds nothing in strings, templates and regular expressions', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The text is source code.
    const source = "f('take', \"say\", `select left ${'tell'} take`, /[/]take/g, 1 / 2); // it's `left`";
    expect(wordsIn(source)).to.deep.equal([]);
  });

  it('finds names in the code of a template, and goes on behind it', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The text is source code.
    expect(wordsIn('`take ${{ a: `say ${told}` }} take`; looked')).to.deep.equal(['told', 'looked']);
  });

  it('accepts terms and idioms', () => {
    expect(
      wordsIn(
        '// A left join takes effect from left to right, is looked up, taken over, and how long it takes.',
      ),
    ).to.deep.equal([]);
  });

  describe('has no folder on its list', () => {
    const folders = { comments: new Set<string>(), names: new Set<string>() };
    before(() => {
      for (const { file, source } of codeFiles())
        for (const { isName } of hiddenVerbsIn(file, source))
          folders[isName ? 'names' : 'comments'].add(file.slice(0, file.lastIndexOf('/')));
    });

    for (const kind of ['comments', 'names'] as const)
      it(`whose ${kind} are clean: remove it from unclean-folders.ts`, () => {
        expect(foldersWithVerbs[kind].filter((folder) => !folders[kind].has(folder))).to.deep.equal([]);
      });
  });

  it('finds them in a folder that is clean, and there alone', () => {
    const [finding] = hiddenVerbsIn('domain/none/a.ts', '// It takes.');
    expect(finding && isInCleanFolder(finding)).to.equal(true);
  });
});
