import type { Guide } from '../guides.ts';
import type { Chapter, Reference } from '../reference/reference.ts';
import { chapterMarkdown } from './reference-markdown.ts';
import { sectionsOf, textOf } from './sections.ts';

/** A file for programs that read, by its path. */
type TextFile = readonly [path: string, type: 'text/plain' | 'text/markdown', render: () => string];

const markdownPath = ({ path }: Guide | Chapter): string => `${path}.md`;

/** `/llms.txt`, which lists the documents for language models (llmstxt.org), and each of them as Markdown. */
export const textFiles = (
  guides: readonly Guide[],
  changelog: Guide,
  reference: Reference,
): readonly TextFile[] => [
  ['/llms.txt', 'text/plain', () => overview(guides, changelog, reference)],
  ...[...guides, changelog].map(
    (guide): TextFile => [markdownPath(guide), 'text/markdown', () => guide.markdown],
  ),
  ...reference.chapters.map(
    (chapter): TextFile => [
      markdownPath(chapter),
      'text/markdown',
      () => chapterMarkdown(reference, chapter),
    ],
  ),
];

const overview = (guides: readonly Guide[], changelog: Guide, { document, chapters }: Reference): string => {
  const [summary = '', ...details] =
    (document.info.description ?? '').split(/\n\n(?=Errors that)/)[0]?.split('\n\n') ?? [];
  return `# ${document.info.title}

> ${summary}

${details.join('\n\n')}

## Guides

${guides.map((guide) => `- [${guide.title}](${markdownPath(guide)}): ${firstSentence(guide)}`).join('\n')}

## Reference

${chapters.map((chapter) => `- [${chapter.title}](${markdownPath(chapter)}): ${chapter.description}`).join('\n')}

## Optional

- [The OpenAPI document](/openapi.json): every operation, field and error, for programs
- [Changelog](${markdownPath(changelog)}): what is new in each version
`;
};

const firstSentence = (guide: Guide): string =>
  textOf(sectionsOf(guide)[0]?.markdown ?? '')
    .split(/(?<=[.:?]) /)[0]
    ?.replace(/:$/, '.') ?? '';
