// biome-ignore-all lint/suspicious/noTemplateCurlyInString: The texts are source code.
import { faultsOf, type Mutant } from './mutant.ts';

const pages = 'are listed in pages, all of them and those of an order, of a type or of several types';
const ofUser = 'of a user are found in order behind a sequence, and none of another or of an order';
const counts = 'is empty at the begin, has an id of its own, and counts from 1';
const keeps = 'keeps an event as long as one before it';
const behind =
  'deletes events whose time is later than now with an old one behind them, because a clock was ahead';
const goesOn = 'goes on with its sequences and ids when all events are deleted';
const renewed = 'has another id once it is renewed, keeps its events, and later ids ascend';
const found = 'are found by their ids, and by no other';

/** Faults of the feed of events: in memory, in what the SQL stores share, and in what each has of its own. */
export const eventMutants: readonly Mutant[] = [
  ...faultsOf('memory', 'memory/events.ts', [
    ['a sequence that is given twice', 'this.#feed.put(feedKey, { id, last, lastId });', '', counts],
    ['an event found under a foreign id', 'event?.id === id ? event : undefined', 'event', found],
    ['a deletion of what is kept', 'timestamp >= than &&', 'false &&', keeps],
    ['a deletion of what is old alone', 'old.slice(0, last + 1)', 'old.slice(last, last + 1)', keeps],
    ['a deletion that ends before its end', 'last >= 0 &&', 'last === batchSize - 1 &&', behind],
    [
      'ids that descend after a renewal',
      'EventId.milliseconds(lastId) + 1',
      'EventId.milliseconds(lastId)',
      renewed,
    ],
  ]),
  ...faultsOf('sqlite', 'sql/events/events.ts', [
    ['an event found under a foreign id', "row?.['id'] === id ?", 'row ?', found],
    ['a deletion of what is kept', 'created_at >= than &&', 'false &&', keeps],
    ['a deletion that ends at a later time', ' && created_at <= now', '', behind],
    ['a feed that begins anew where it is empty', 'first ?? last + 1', 'first ?? 1', goesOn],
    ['a renewal that changes no id', "ofFeed.set({ id: parameter('id'), last", 'ofFeed.set({ last', renewed],
  ]),
  ...faultsOf('sqlite', 'sql/events/pages.ts', [
    [
      'the latest events first',
      "where sequence > ${parameter('after')} order by sequence",
      "where sequence > ${parameter('after')} order by sequence desc",
      pages,
    ],
    ['types that an order ignores', 'count > 0 ? sql', 'false ? sql', pages],
  ]),
  ...faultsOf('sqlite', 'sqlite/events.ts', [
    [
      'sequences from the rows that are left',
      'coalesce((select seq from sqlite_sequence where name = ${sql.lit(events.name)}), 0)',
      'coalesce((select max(sequence) from events), 0)',
      goesOn,
    ],
    ['a page of what lies before', 'and sequence > ${after}', 'and sequence >= ${after}', ofUser],
  ]),
  ...faultsOf('postgres', 'postgres/dialect.ts', [
    ['a page without its upper bound', ' and ${place} <= (${value}, ${greatest}::bigint)', '', pages],
  ]),
  ...faultsOf('postgres', 'postgres/events/sequencer.ts', [
    [
      'numbers in any order',
      'row_number() over (order by place)',
      'row_number() over (order by place desc)',
      'of one unit of work keep their order, however many they are',
    ],
    [
      'events that are numbered and stay in the queue',
      'delete from ${eventQueue.name}\n      where place in',
      'select * from ${eventQueue.name}\n      where place in',
      pages,
    ],
  ]),
  ...faultsOf('mariadb', 'mariadb/events/sequencer.ts', [
    [
      'numbers in any order',
      'select ? + row_number() over (order by ${queue}.place),',
      'select ? + row_number() over (order by ${queue}.place desc),',
      'of one unit of work keep their order, however many they are',
    ],
  ]),
];
