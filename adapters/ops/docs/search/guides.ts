import type { Entry } from './entry.ts';
import { rowsOf, type Section, textOf } from './sections.ts';

/** Entries of the guides, and of their headings. */
export const guideEntries = (sections: readonly Section[]): readonly Entry[] =>
  sections.map(({ guide, title, depth, href, markdown }) => ({
    ...{ kind: depth === 1 ? 'guide' : 'section', title, href },
    ...(depth > 1 && { place: guide.title }),
    text: textOf(markdown),
  }));

/**
 * Entries of the error codes: the table in `docs/api.md` has them all.
 * @param placeOf returns where the reference describes a code
 */
export const errorEntries = (
  sections: readonly Section[],
  placeOf: (code: string) => string | undefined,
): readonly Entry[] =>
  sections
    .filter(({ href }) => href === '/docs/api#errors')
    .flatMap(({ href, markdown }) =>
      rowsOf(markdown).flatMap(([status = '', code = '', advice = '']) =>
        /^\d{3}$/.test(status)
          ? [errorEntry(textOf(code), placeOf(textOf(code)) ?? href, status, textOf(advice))]
          : [],
      ),
    );

const errorEntry = (title: string, href: string, status: string, text: string): Entry => ({
  ...{ kind: 'error', title, href, text },
  names: [status],
});

/** Entries of the commands of `portico`, which `docs/command-line.md` lists. */
export const commandEntries = (sections: readonly Section[]): readonly Entry[] =>
  sections
    .filter(({ href }) => href === '/docs/command-line')
    .flatMap(({ href, markdown }) =>
      rowsOf(markdown).flatMap(([names = '', text = '']) => {
        const anchor = /\]\((#[^)]+)\)/.exec(names)?.[1] ?? '';
        return [...names.matchAll(/`([a-z ]+)`/g)].map(([, name]) => ({
          ...{ kind: 'command' as const, title: `portico ${name}`, href: `${href}${anchor}` },
          ...{ names: [`${name}`], text: textOf(text) },
        }));
      }),
    );

/** `DATABASE_URL`, also with a value, in running text. */
const setting = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g;

/** What has the form of a setting in the guides, but is none. */
const otherCodes = ['PROTOCOL_ERROR', 'NOT_MODIFIED'];

/**
 * Entries of the settings that the guides speak of. Each leads to the section that names it most.
 * @param codes names of the same form that are no settings
 */
export const settingEntries = (
  sections: readonly Section[],
  codes: ReadonlySet<string>,
): readonly Entry[] => {
  const mentions = sections.flatMap((section) =>
    [...section.markdown.matchAll(setting)].map(([, name = '']) => ({ name, section })),
  );
  const byName = Map.groupBy(mentions, ({ name }) => name);
  return [...byName].flatMap(([name, all]) => {
    if (codes.has(name) || otherCodes.includes(name)) return [];
    const [most] = [...Map.groupBy(all, ({ section }) => section)].toSorted(
      ([, one], [, other]) => other.length - one.length,
    );
    if (most === undefined) return [];
    const [{ guide, title, href, markdown }] = most;
    const place = guide.title === title ? title : `${guide.title} · ${title}`;
    return [{ kind: 'setting' as const, title: name, href, place, text: sentenceWith(name, markdown) }];
  });
};

/** The sentence, or the cell of a table, that names something first. */
const sentenceWith = (name: string, markdown: string): string =>
  textOf(markdown)
    .split(/(?<=[.:?!]) (?=[A-Z])| · /)
    .find((sentence) => sentence.includes(name)) ?? '';
