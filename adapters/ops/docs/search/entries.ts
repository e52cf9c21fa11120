import type { Guide } from '../guides.ts';
import { overviewPath, type Reference } from '../reference/reference.ts';
import type { Entry } from './entry.ts';
import { commandEntries, errorEntries, guideEntries, settingEntries } from './guides.ts';
import { eventEntries, fieldEntries, operationEntries } from './reference.ts';
import { sectionsOf } from './sections.ts';

/** All that search finds, in the guides and the reference; of the changelog the page alone. A script ranks it. */
export const searchEntries = (
  guides: readonly Guide[],
  changelog: Guide,
  reference: Reference,
): readonly Entry[] => {
  const sections = guides.flatMap(sectionsOf);
  const codes = new Set(reference.common.errors.map(({ code }) => code));
  const errors = errorEntries(sections, (code) =>
    codes.has(code) ? `${overviewPath}#error-${code}` : undefined,
  );
  return [
    ...operationEntries(reference),
    ...guideEntries(sections),
    { kind: 'guide', title: changelog.title, href: changelog.path, text: 'What is new in each version.' },
    ...errors,
    ...eventEntries(reference),
    ...settingEntries(sections, new Set(errors.map(({ title }) => title))),
    ...commandEntries(sections),
    ...fieldEntries(reference),
  ];
};
