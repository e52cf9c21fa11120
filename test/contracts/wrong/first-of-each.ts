import { describeFirstOfEach } from '../first-of-each.ts';
import { type WrongAdapter, wrongCollections } from './wrapping.ts';

const asManyForEach = 'are as many for each as the limit says, and never fewer because others have more';

/** Adapters that find too many or too few of the resources of several others, or in another order. */
export const wrongFirstOfEach: readonly WrongAdapter[] = [
  [
    'a limit of all rows together',
    () =>
      wrongCollections((right) => ({
        firstBy: async (field, values, limit) => (await right.findBy(field, values)).slice(0, limit),
      })),
    describeFirstOfEach,
    asManyForEach,
  ],
  [
    'the first rows of each value in the order of the values',
    () =>
      wrongCollections((right) => ({
        firstBy: async (field, values, limit) =>
          (await Promise.all(values.map((value) => right.firstBy(field, [value], limit)))).flat(),
      })),
    describeFirstOfEach,
    asManyForEach,
    'are found once although values are repeated, and not at all without values',
  ],
];
