// biome-ignore-all lint/suspicious/noTemplateCurlyInString: The texts are source code.
import { faultsOf, type Mutant } from './mutant.ts';

const due = 'are listed when they are due, the longest due first, those of one endpoint alone';
const bySequence = 'are listed by sequence and id, due or not, those of one endpoint alone';
const inNeither = 'that have ended, or have no next attempt, are in neither list';
const counted = 'are counted while no attempt was made, up to a limit';
const rescheduled =
  'are rescheduled all at once, those of one endpoint that are pending, each with its next version';
const canceled =
  'are canceled all at once, those of one endpoint that are pending, each with its next version';
const deleted =
  'are deleted from the oldest on, ended or not, none that was created since, and it says how many were pending';
const ahead =
  'are deleted although a clock that was ahead gave one before them a later time, and that one is kept';
const gone =
  'that are kept when its page is read, and those that were deleted after the end of the feed was read count as lost';
const canceledAsGone = 'are canceled before a sequence, once, and examples are not';
const once = 'once, though two processes do so at the same time';

/** Faults of the deliveries of webhooks, in memory, in what the SQL stores share, and where events are enqueued. */
export const webhookMutants: readonly Mutant[] = [
  ...faultsOf('memory', 'memory/webhook-queue.ts', [
    ['a count of tried deliveries', 'attemptCount === 0', 'attemptCount >= 0', counted],
    [
      'changes of what has ended',
      "this.#deliveries\n      .having('status', 'pending')",
      '[...this.#deliveries.walk()]',
      canceled,
    ],
    ['examples that count as undelivered', " && delivery.trigger !== 'test'", '', deleted],
    ['examples that are canceled as gone', " && trigger !== 'test'", '', canceledAsGone],
  ]),
  ...faultsOf('sqlite', 'sql/webhook-queue.ts', [
    [
      'deliveries before their time',
      "'next_attempt_at', '<=', parameter",
      "'next_attempt_at', '<>', parameter",
      due,
    ],
    ['the soonest due last', ".orderBy('next_attempt_at')", ".orderBy('next_attempt_at', 'desc')", due],
    ['a sequence after a later one', ".orderBy('sequence')", ".orderBy('sequence', 'desc')", bySequence],
    ['deliveries without a next attempt', ".where('next_attempt_at', 'is not', null)", '', inNeither],
    [
      'a count of tried deliveries',
      "'attempt_count', '=', sql.lit(0)",
      "'attempt_count', '>=', sql.lit(0)",
      counted,
    ],
    ['a new time for what has ended', ".where('status', '=', word('pending'));\n\n", ';\n\n', rescheduled],
    ['a change under the same version', "${sql.ref('version')} + 1", "${sql.ref('version')} + 0", canceled],
    [
      'a deletion of what is kept',
      "'created_at', '<', parameter('created_at')),\n    ),",
      "'created_at', '<=', parameter('created_at')),\n    ),",
      ahead,
    ],
    [
      'ended deliveries that count as undelivered',
      ".where('status', '=', word('pending'))\n        .where('caused_by'",
      ".where('caused_by'",
      deleted,
    ],
    [
      'examples that count as undelivered',
      "        .where('caused_by', '<>', sql.lit(example))\n        .groupBy",
      '        .groupBy',
      deleted,
    ],
    [
      'a delivery that is canceled with its event kept',
      "'sequence', '<', parameter",
      "'sequence', '<=', parameter",
      canceledAsGone,
    ],
  ]),
  ...faultsOf('webhooks', 'enqueue-deliveries.ts', [
    [
      'a position that is moved without compare-and-set',
      'progress?.position !== found.position ||',
      'progress === undefined ||',
      once,
    ],
    [
      'deliveries of an endpoint that has changed',
      ' || current?.version !== endpoint.version',
      '',
      'not while it is disabled, and it stays where it was',
    ],
    [
      'a begin of the feed from before its page was read',
      'Math.max(found.position, kept.first - 1)',
      'Math.max(found.position, feed.first - 1)',
      gone,
    ],
    [
      'a repetition that passes for the first delivery',
      'sequence <= progress.furthest',
      'sequence <= progress.position',
      'again when its position was set back, as repetitions',
    ],
  ]),
];
