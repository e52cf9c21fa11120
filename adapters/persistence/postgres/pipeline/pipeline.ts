import type { Connection, FieldDef, Submittable } from 'pg';
import type { Row, Value } from '../../schema/entities/table.ts';
import type { BoundStatement, Statement } from '../../sql/sql-table.ts';
import { type RowDecoder, rowDecoder } from './row-decoder.ts';

export interface StatementResult {
  readonly rows: readonly Row[];
  /** PostgreSQL's command tag, such as `INSERT 0 5`. */
  readonly tag: string;
}

const noColumns = rowDecoder([]);

/** The statements prepared on each connection, by name, with the decoder of their rows: they are described only once. */
const preparedOn = new WeakMap<Connection, Map<string, RowDecoder>>();

/**
 * Several statements in one round trip (pipeline mode), with one Sync at the end. The server carries them out in order;
 * after an error it skips the rest, a commit among them. The driver calls this as it calls a query of its own.
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Pipeline implements Submittable {
  /** Tracers of the driver read it, as they read a query's. */
  readonly text: string;
  /** Called at the end. Tracers of the driver put their own function here. */
  callback: (error: Error | null, results?: readonly StatementResult[]) => void = () => undefined;
  readonly #statements: readonly BoundStatement[];
  readonly #canPrepare: boolean;
  readonly #received: StatementResult[] = [];
  readonly #completion = Promise.withResolvers<readonly StatementResult[]>();
  #decoders: Map<string, RowDecoder> = new Map();
  #decode = noColumns;
  #rows: Row[] = [];

  /** @param canPrepare whether prepared statements last on this connection */
  constructor(statements: readonly BoundStatement[], canPrepare: boolean) {
    this.#statements = statements;
    this.#canPrepare = canPrepare;
    this.text = joinTexts(statements);
  }

  /** One result for each statement. Rejects with the first error, untranslated. */
  get results(): Promise<readonly StatementResult[]> {
    return this.#completion.promise;
  }

  submit(connection: Connection): void {
    if (this.#canPrepare) this.#decoders = decodersOn(connection);
    const parsed = new Set<string>();
    connection.stream.cork();
    for (const { statement, values } of this.#statements) {
      const name = this.#nameOf(statement);
      if (!this.#decoders.has(name) && !parsed.has(name)) {
        // A pipeline that failed may have prepared it; closing an unknown statement is no error.
        if (this.#canPrepare) connection.close({ type: 'S', name }, true);
        connection.parse({ name, text: statement.text, types: [] }, true);
        if (this.#canPrepare) parsed.add(name);
      }
      connection.bind({ statement: name, values: values.map(encodeValue) }, true);
      if (!this.#decoders.has(name)) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
    this.#expectNext();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#decode = rowDecoder(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#rows.push(this.#decode(fields));
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { statement } = this.#current;
    if (this.#canPrepare) this.#decoders.set(this.#nameOf(statement), this.#decode);
    this.#received.push({ rows: this.#rows, tag: text });
    this.#expectNext();
  }

  handleReadyForQuery(): void {
    this.#completion.resolve(this.#received);
    this.callback(null, this.#received);
  }

  handleError(error: Error): void {
    this.#completion.reject(error);
    this.callback(error);
  }

  /** The messages that follow belong to the next statement. */
  #expectNext(): void {
    const next = this.#statements[this.#received.length];
    this.#rows = [];
    this.#decode = (next && this.#decoders.get(this.#nameOf(next.statement))) ?? noColumns;
  }

  get #current(): BoundStatement {
    const current = this.#statements[this.#received.length];
    if (current === undefined) throw new TypeError('The server sent a result without a statement.');
    return current;
  }

  /** The statement's own name: nothing else prepares statements on these connections. */
  #nameOf({ name }: Statement): string {
    return this.#canPrepare ? name : '';
  }
}

const decodersOn = (connection: Connection): Map<string, RowDecoder> => {
  const decoders = preparedOn.get(connection) ?? new Map<string, RowDecoder>();
  preparedOn.set(connection, decoders);
  return decoders;
};

/** V8 copies concatenated strings only when they are read, and only a tracer reads this one. */
const joinTexts = (statements: readonly BoundStatement[]): string => {
  let text = '';
  for (const { statement } of statements) text += text === '' ? statement.text : `;\n${statement.text}`;
  return text;
};

/** Encodes a value in PostgreSQL's text format. */
const encodeValue = (value: Value): string | null => (value === null ? null : String(value));

/**
 * Encodes texts as an array literal, without duplicates.
 * https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO
 */
export const encodeTextArray = (texts: readonly string[]): string =>
  `{${[...new Set(texts)].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
