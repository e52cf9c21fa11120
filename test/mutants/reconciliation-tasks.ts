import { faultsOf, type Mutant } from './mutant.ts';

const latest = 'remember until when the list of events of each provider was read, and the latest time';

/** Faults of tasks in the memory store, and in what the SQL stores share. */
export const reconciliationTaskMutants: readonly Mutant[] = [
  ...faultsOf('memory', 'memory/reconciliation-tasks.ts', [
    [
      'tasks of every provider',
      'task.provider === provider && task.dueAt',
      'task.dueAt',
      'are listed when they are due, the longest due first, those of one provider alone',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/reconciliation-tasks.ts', [
    [
      'tasks that are claimed twice',
      ".where('attempts', '=', parameter('attempts')),",
      ".where('attempts', '>=', parameter('attempts')),",
      'are claimed once as they were read, and are due later then',
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
      'tasks that are not due',
      "'due_at', '<=', parameter('due_at')",
      "'due_at', '<>', parameter('due_at')",
      'are listed when they are due, the longest due first, those of one provider alone',
    ],
    ['positions that are read until an earlier time', "'seen_until', '<'", "'seen_until', '<>'", latest],
  ]),
];
