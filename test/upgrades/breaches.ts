import type { Schema } from './schema.ts';

/** What a change of a schema takes from whoever was made for it as it was before. */
interface Breach {
  /** The table, or its column. */
  readonly of: string;
  readonly says: string;
}

/**
 * A process that knows only the schema before still reads and writes all that it did, unless there is something here. Tables,
 * columns that may be left out, and indexes that only find things, may come at any time.
 */
export const breaches = (before: Schema, after: Schema): readonly Breach[] =>
  Object.entries(before).flatMap(([table, { columns, rules }]) => {
    const now = after[table];
    if (now === undefined) return [{ of: table, says: 'is gone' }];
    const found: Breach[] = [];
    for (const [name, column] of Object.entries(columns)) {
      const of = `${table}.${name}`;
      const changed = now.columns[name];
      if (changed === undefined) found.push({ of, says: 'is gone' });
      else {
        if (changed.type !== column.type)
          found.push({ of, says: `is ${changed.type} in place of ${column.type}` });
        if (column.mayBeNull && !changed.mayBeNull) found.push({ of, says: 'takes no null any more' });
        if (column.mayBeLeftOut && !changed.mayBeLeftOut)
          found.push({ of, says: 'cannot be left out any more' });
      }
    }
    for (const [name, { mayBeLeftOut }] of Object.entries(now.columns)) {
      if (!(name in columns) && !mayBeLeftOut) {
        found.push({ of: `${table}.${name}`, says: 'is new and cannot be left out' });
      }
    }
    for (const rule of now.rules) {
      if (!rules.includes(rule)) found.push({ of: table, says: `has a new rule: ${rule}` });
    }
    // A statement may lean on one, as `on conflict` does.
    for (const rule of rules) {
      if (/unique|primary key/i.test(rule) && !now.rules.includes(rule))
        found.push({ of: table, says: `lacks the rule: ${rule}` });
    }
    return found;
  });
