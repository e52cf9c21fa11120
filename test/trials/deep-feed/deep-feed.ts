import { openDatabase, testedKinds } from '../../lab/databases.ts';
import { serve } from '../production.ts';
import type { Finding, Trial } from '../trial.ts';
import { begins, FilledFeed, filterNames, pageSize } from './filled-feed.ts';

/** How many times as long as the first page another one takes at most, on any machine. */
const maxRatio = 2;

/** Compares pages of the feed at its begin, in its middle and at its end. */
export const deepFeed: Trial = {
  name: 'deep-feed',
  description: `reads pages anywhere in a feed of 10,000,000 events; expects at most ${maxRatio} times as long as the first`,
  run: async ({ isShort, log }) => {
    const count = isShort ? 200_000 : 10_000_000;
    const findings: Finding[] = [];
    for (const kind of testedKinds) {
      await using cleanUp = new AsyncDisposableStack();
      const database = await openDatabase(kind, { cleanUp });
      const { port } = await serve({ cleanUp }, database.url);
      const feed = await FilledFeed.begin(database, kind, port);
      const begun = performance.now();
      await feed.fillUpTo(count / 2);
      const middle = await feed.ends();
      await feed.fillUpTo(count - 20 * pageSize);
      const end = await feed.ends();
      await feed.fillUpTo(count);
      log(`${kind}: filled with ${count} events in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
      for (const name of filterNames) {
        const paths = [begins[name], middle[name], end[name]];
        const [first = 0, ...others] = await feed.times(paths);
        const seen = [first, ...others].map((time) => `${time.toFixed(2)} ms`).join(', ');
        log(`${kind}, ${name}: ${seen}`);
        findings.push({
          expected: `${kind}, ${name}: a page in the middle or at the end takes at most ${maxRatio} times as long as the first`,
          seen,
          held: Math.max(...others) <= maxRatio * first,
          isTimed: true,
        });
      }
      feed.close();
    }
    return findings;
  },
};
