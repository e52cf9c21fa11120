/** What the changelog has of a version. */
export interface Section {
  /** The day of the release; undefined before it. */
  readonly date: string | undefined;
  /** Markdown without the heading. */
  readonly notes: string;
}

/** The section of a version: from its heading to the next one of the same level. Undefined when there is none. */
export const sectionOf = (changelog: string, version: string): Section | undefined => {
  for (const part of changelog.split(/^## /m).slice(1)) {
    const [heading = '', ...lines] = part.split('\n');
    const [title, rest = ''] = heading.split(' ', 2);
    if (title !== version) continue;
    return { date: /^\((\d{4}-\d\d-\d\d)\)$/.exec(rest)?.[1], notes: lines.join('\n').trim() };
  }
  return undefined;
};

/** Links of the changelog are relative to the repository; those of notes, which stand elsewhere, lead to the files of a tag. */
const withWholeLinks = (markdown: string, base: string): string =>
  markdown.replaceAll(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, target: string) => `](${base}/${target})`);

interface Release {
  readonly version: string;
  readonly repository: string;
  /** The names of the files that are published, and what each is. */
  readonly files: ReadonlyMap<string, string>;
}

/** The text to publish beside the files of a release. */
export const releaseNotes = (
  notes: string,
  { version, repository, files }: Release,
): string => `# Portico ${version}

${withWholeLinks(notes, `${repository}/blob/v${version}`)}

## Files

${[...files].map(([file, use]) => `- \`${file}\`: ${use}`).join('\n')}

\`sha256sum --check SHA256SUMS\` checks them.
`;
