import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Value } from '../schema/entities/table.ts';
import type { CompiledStatement } from './sql-table.ts';

/** MikroORM's statement builder, for tables whose names are known at run time. */
export type Builder = Kysely<Record<string, Record<string, Value>>>;

/** The builder of MikroORM's entities, in the dialect of their database. */
export const builderOf = ({ em }: { readonly em: { getKysely(): unknown } }): Builder =>
  em.getKysely() as Builder;

/** Stands in a statement for the value of a parameter. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A parameter, whose value is bound when the statement is executed. */
export const parameter = <T = Value>(name: string): RawBuilder<T> => sql<T>`${new Parameter(name)}`;

/** Compiles a statement once, so that it can be prepared and executed many times. */
export const compile = (name: string, query: Compilable): CompiledStatement => {
  const compiled = query.compile();
  const parameters = compiled.parameters.map((found) => {
    // A value in the text would be the same in every execution.
    if (!(found instanceof Parameter)) throw new TypeError(`${name} holds a value that has no name.`);
    return found.name;
  });
  return { name, text: compiled.sql, parameters };
};
