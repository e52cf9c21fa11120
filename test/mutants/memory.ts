import { faultsOf, type Mutant } from './mutant.ts';

export const memoryMutants: readonly Mutant[] = [
  ...faultsOf('memory', 'memory/unit-of-work.ts', [
    [
      'a lost rollback',
      'await work(repositories);',
      'await work(repositories).finally(commit);',
      'rolls back when its work throws, and throws the same error',
    ],
    [
      'a read after the deadline',
      'throwIfExpired(deadlineOf(context));',
      '',
      'does not start after it, nor does a read',
    ],
    [
      'a commit without one of its tables',
      'of drafts) pending',
      'of drafts.slice(1)) pending',
      'both take effect when two change what neither has locked',
    ],
    [
      'a queue that only grows',
      'this.#stats.waiting -= 1;',
      '',
      'is 0 while no request waits, whatever was served before',
    ],
    [
      'a queue that is always empty',
      'this.#stats.waiting += 1;',
      '',
      'grows while the requests ahead are not served, for requests that queue',
    ],
  ]),
  ...faultsOf('memory', 'memory/repository.ts', [
    [
      'a second resource with the same id',
      'if (this.#draft.get(resource.id) !== undefined)',
      'if (false)',
      'rejects a second resource with the same id',
    ],
    [
      'a page that ignores its filter',
      'conditions.every(',
      'conditions.some(',
      'and by all of them at once, where a field that is undefined asks for nothing',
    ],
    [
      'a page without its first row',
      'this.#draft.walk(after, order)',
      'this.#draft.walk(after ?? [...this.#draft.walk()][0]?.id, order)',
      'orders by userId',
    ],
    [
      'one more than the first of each value',
      '[value, limit]',
      '[value, limit + 1]',
      'are as many for each as the limit says, and never fewer because others have more',
    ],
    [
      'a change of several that ends early',
      'resources) await this.save(resource);',
      'resources.slice(1)) await this.save(resource);',
      'are added, found by one of their fields in the order of their ids, and changed',
    ],
    [
      'a removal that is forgotten',
      'this.#draft.put(id, undefined);',
      '',
      'remove, and do nothing when it is gone already',
    ],
  ]),
  ...faultsOf('memory', 'memory/sales.ts', [
    [
      'sums that leave the process no turn',
      'await endOfTurn();',
      '',
      'let the process do other work between two calls',
    ],
  ]),
  ...faultsOf('memory', 'memory/missing-times.ts', [
    [
      'times that are overwritten',
      ' && before[field] === null',
      '',
      'stay as they are where they are known, and are passed over where nothing is',
    ],
  ]),
  ...faultsOf('memory', 'memory/idempotency-keys.ts', [
    [
      'responses that are not searched for an id',
      'record.response?.includes(id)',
      'false',
      'are found by the id of their user and by an id in their response, unless unsettled',
    ],
    [
      'a key that is added twice',
      'if (this.#draft.get(key) !== undefined)',
      'if (false)',
      'let no idempotency key be added twice, and none be saved that does not exist',
    ],
    [
      'one key for all users',
      '{userId} ',
      "{userId && ''} ",
      'are found as they were added, and by no other key or user',
    ],
    [
      'a purge of keys that are still valid',
      'record.createdAt <= createdBefore',
      'record.createdAt !== null',
      'are deleted in batches, however many they are, and none created later is',
    ],
    [
      'leases that have not passed',
      ' && hasPassed(lease, now))',
      ')',
      'are stale when both instants have passed, the longest idle first',
    ],
    [
      'a lease from a clock that was set back',
      ' || time > latest',
      '',
      'are stale, too, when their times are implausibly late',
    ],
  ]),
  ...faultsOf('memory', 'retry.ts', [
    [
      'a retry of an unknown commit',
      'if (!(error instanceof ConcurrencyConflict)) throw error;',
      '',
      'rolls back when its work throws, and throws the same error',
    ],
    [
      'a retry after the deadline',
      'throwIfExpired(deadline);',
      'if (attempt === 1) throwIfExpired(deadline);',
      'is not run again after it, whatever the conflict',
    ],
    [
      'a start after the deadline',
      'throwIfExpired(deadline);',
      'if (attempt > 1) throwIfExpired(deadline);',
      'does not start after it, nor does a read',
    ],
    [
      'a conflict that is retried too few times',
      '(attempt === maxAttempts)',
      '(attempt === maxAttempts - 1)',
      'fail in the end, without a change, when the conflict persists',
    ],
  ]),
];
