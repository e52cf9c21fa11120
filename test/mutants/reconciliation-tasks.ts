import { faultsOf, type Mutant } from './mutant.ts';

const latest = 'remember until when the list of events of each provider was read, and the latest time';

/** Faults of look-ups in the memory store, and in what the SQL stores share. */
export const lookUpMutants: readonly Mutant[] = [
  ...faultsOf('memory', 'memory/reconciliation-tasks.ts', [
    [
      'look-ups of every provider',
      'lookUp.provider === provider && lookUp.dueAt',
      'lookUp.dueAt',
      'are listed when they are due, the longest due first, those of one provider alone',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/reconciliation-tasks.ts', [
    [
      'look-ups that are taken twice',
      ".where('attempts', '=', parameter('attempts')),",
      ".where('attempts', '>=', parameter('attempts')),",
      'are taken once as they were read, and are due later then',
    ],
    [
      'events that are not counted',
      "sql.ref('events')",
      'sql.lit(0)',
      'count each of twenty events that arrive at once',
    ],
    [
      'the latest due first',
      ".orderBy('due_at')",
      ".orderBy('due_at', 'desc')",
      'are listed when they are due, the longest due first, those of one provider alone',
    ],
    [
      'look-ups that are not due',
      "'due_at', '<=', parameter('due_at')",
      "'due_at', '<>', parameter('due_at')",
      'are listed when they are due, the longest due first, those of one provider alone',
    ],
    ['news that are read until an earlier time', "'seen_until', '<'", "'seen_until', '<>'", latest],
  ]),
];
