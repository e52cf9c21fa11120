import type { Connection, FieldDef, Submittable } from 'pg';
import type { Value } from '../../schema/entities/table.ts';
import type { BoundStatement, Statement } from '../../sql/session.ts';
import { type Row, type RowDecoder, rowDecoder } from './row-decoder.ts';

export interface Answered {
  readonly rows: readonly Row[];
  /** What was done, in PostgreSQL's words, as `INSERT 0 5`. */
  readonly tag: string;
}

const noRows = rowDecoder([]);

/** What was prepared on each connection, and what reads its rows: they need not be described again. */
const prepared = new WeakMap<Connection, Map<string, RowDecoder>>();

/**
 * Several statements that are sent as one. The server answers them in their order; once it refuses one, it passes over all
 * that follow, a commit among them. The driver calls it as it calls a query of its own.
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch implements Submittable {
  /** For whoever traces the driver, as a query of its own has it. */
  readonly text: string;
  /** Called at the end, as that of a query of the driver; whoever traces it puts their own here. */
  callback: (error: Error | null, answers?: readonly Answered[]) => void = () => undefined;
  readonly #asked: readonly BoundStatement[];
  readonly #canPrepare: boolean;
  readonly #answers: Answered[] = [];
  readonly #whole = Promise.withResolvers<readonly Answered[]>();
  #known: Map<string, RowDecoder> = new Map();
  #decode = noRows;
  #rows: Row[] = [];

  /** @param canPrepare whether what is prepared will be there the next time */
  constructor(asked: readonly BoundStatement[], canPrepare: boolean) {
    this.#asked = asked;
    this.#canPrepare = canPrepare;
    this.text = textOfAll(asked);
  }

  get answer(): Promise<readonly Answered[]> {
    return this.#whole.promise;
  }

  submit(connection: Connection): void {
    if (this.#canPrepare) this.#known = knownOn(connection);
    const sent = new Set<string>();
    connection.stream.cork();
    for (const { statement, values } of this.#asked) {
      const name = this.#nameOf(statement);
      if (!this.#known.has(name) && !sent.has(name)) {
        // It may be there, from a batch that was refused; to close what is not there does no harm.
        if (this.#canPrepare) connection.close({ type: 'S', name }, true);
        connection.parse({ name, text: statement.text, types: [] }, true);
        if (this.#canPrepare) sent.add(name);
      }
      connection.bind({ statement: name, values: values.map(textOf) }, true);
      if (!this.#known.has(name)) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
    this.#begin();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#decode = rowDecoder(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#rows.push(this.#decode(fields));
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { statement } = this.#current;
    if (this.#canPrepare) this.#known.set(this.#nameOf(statement), this.#decode);
    this.#answers.push({ rows: this.#rows, tag: text });
    this.#begin();
  }

  handleReadyForQuery(): void {
    this.#whole.resolve(this.#answers);
    this.callback(null, this.#answers);
  }

  handleError(error: Error): void {
    this.#whole.reject(error);
    this.callback(error);
  }

  /** What follows is about the next statement. */
  #begin(): void {
    const next = this.#asked[this.#answers.length];
    this.#rows = [];
    this.#decode = (next && this.#known.get(this.#nameOf(next.statement))) ?? noRows;
  }

  get #current(): BoundStatement {
    const current = this.#asked[this.#answers.length];
    if (current === undefined) throw new TypeError('An answer came that nobody asked for.');
    return current;
  }

  /** As it is: nobody else prepares anything on these connections. */
  #nameOf({ name }: Statement): string {
    return this.#canPrepare ? name : '';
  }
}

const knownOn = (connection: Connection): Map<string, RowDecoder> => {
  const known = prepared.get(connection) ?? new Map<string, RowDecoder>();
  prepared.set(connection, known);
  return known;
};

/** Strings that are added are not copied before somebody reads them, which nobody does where nothing is traced. */
const textOfAll = (asked: readonly BoundStatement[]): string => {
  let text = '';
  for (const { statement } of asked) text += text === '' ? statement.text : `;\n${statement.text}`;
  return text;
};

const textOf = (value: Value): string | null => (value === null ? null : String(value));
