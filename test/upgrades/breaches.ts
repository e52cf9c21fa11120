import type { Schema } from './schema.ts';

/** An incompatibility of a schema change with processes of the release before. */
interface Breach {
  /** The table, or its column. */
  readonly of: string;
  readonly says: string;
}

/**
 * Lists the changes that break a process which knows only the schema before. New tables, optional columns, non-unique indexes
 * and unique indexes of new columns, which such a process keeps null, break nothing, nor does a unique index that covers fewer rows.
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
      if (
        !rules.includes(rule) &&
        !isOfNewColumns(rule, columns, now.columns) &&
        !rules.some(isWeakerThan(rule))
      )
        found.push({ of: table, says: `has a new rule: ${rule}` });
    }
    // A statement may depend on the constraint, as `on conflict` does.
    for (const rule of rules) {
      if (
        /unique|primary key/i.test(rule) &&
        !now.rules.includes(rule) &&
        !now.rules.some((other) => isWeakerThan(other)(rule))
      )
        found.push({ of: table, says: `lacks the rule: ${rule}` });
    }
    return found;
  });

/** Whether a unique index covers only some of the rows that another of the same name covers. Each row that was accepted still is. */
const isWeakerThan =
  (rule: string) =>
  (other: string): boolean => {
    const [weaker, stronger] = [rule, other].map((text) =>
      text.replaceAll(/[()]/g, '').replaceAll(/\s+/g, ' ').toLowerCase(),
    );
    return (
      /^create unique index .* where /.test(stronger ?? '') && Boolean(weaker?.startsWith(`${stronger} and `))
    );
  };

/**
 * Whether a rule is a unique index, of all rows or partial, whose columns are all new and may be null: a process from before
 * leaves them out.
 */
const isOfNewColumns = (rule: string, before: Columns, now: Columns): boolean => {
  const names = /^create unique index [^()]*\(([^()]+)\)(?: where .*)?$/i.exec(rule)?.[1]?.split(', ') ?? [];
  return names.length > 0 && names.every((name) => !(name in before) && now[name]?.mayBeNull === true);
};

type Columns = Schema[string]['columns'];
