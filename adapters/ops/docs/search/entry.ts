/** What a reader can search for. Results are grouped by it. */
type Kind =
  | 'operation'
  | 'resource'
  | 'guide'
  | 'section'
  | 'field'
  | 'error'
  | 'event'
  | 'setting'
  | 'command';

/** One thing that search finds. */
export interface Entry {
  readonly kind: Kind;
  readonly title: string;
  readonly href: string;
  /** Other names by which it is found: the method and path of an operation and its id, the status of an error. */
  readonly names?: readonly string[];
  /** The page or the resource that it belongs to. */
  readonly place?: string;
  /** Its text, without marks. */
  readonly text?: string;
}
