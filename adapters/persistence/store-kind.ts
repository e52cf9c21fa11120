import type { Inspection, Store } from './store.ts';

/** Where a store is, as the settings name it. */
export interface StoreLocation {
  readonly url: string;
  /** The file that holds the data; undefined where a server does. */
  readonly file?: string;
  /** The maximum number of connections. */
  readonly poolSize?: number;
  /** The URLs of read replicas, one server each. */
  readonly replicas?: readonly string[];
}

export interface BackupOptions {
  readonly from: string;
  /** No file may exist there, and its folder must. */
  readonly to: string;
  /** Interrupts the backup: no file of it remains. */
  readonly signal: AbortSignal;
  /** Reports progress, in pages. */
  readonly show: (done: number, of: number) => void;
}

/** How connections to a server are protected. */
export interface Transport {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  /** `unverified`: encrypted, but with any server that answers. */
  readonly encryption: 'none' | 'unverified' | 'verified';
  /** The parameter of the URL that encrypts them and verifies the server, such as `ssl=true`. */
  readonly verifyingParameter: string;
}

export interface OpenOptions {
  /** Of a store from outside, in milliseconds. The others limit each statement instead. */
  readonly timeoutMs?: number;
}

/**
 * All that differs between kinds of stores. Each folder here has one in its `kind.ts`, which loads no driver: only `open`,
 * `inspect` and the like import the adapter itself, to keep starts short.
 */
export interface StoreKind {
  /** The label in metrics and the choice of tests, such as `sqlite`. */
  readonly name: string;
  /** The name of the product in messages, such as `SQLite`. */
  readonly product: string;
  /** The forms of its URL, for errors. */
  readonly urlForms: readonly string[];
  /** What keeps the data, such as `a SQLite file`; undefined where the data ends with the process. */
  readonly keptIn: string | undefined;
  /** The optional npm package that its adapter needs, such as a driver. */
  readonly optionalPackage?: string;
  /** Whether its time is the time of a server, which may differ from this machine's. */
  readonly hasOwnClock: boolean;
  /** Whether the processes that use a store share its file. They can then read while none of them can write. */
  readonly sharesFile: boolean;
  /** Whether it keeps a pool of connections, whose size is a setting. */
  readonly hasPool: boolean;
  /** @returns undefined when the text is no URL of this kind */
  parse(url: string): StoreLocation | undefined;
  /**
   * Checks what `parse` does not, such as the parameters of the URL. Undefined where there is nothing else to check.
   * @returns what must be changed, behind the name of the setting, as in `must have ssl=true.`; undefined when it can be used
   */
  readonly problemOf?: (url: string) => string | undefined;
  /**
   * Checks a text that no kind can parse. It must not show a value, which may be a secret.
   * @returns what to write where it was meant for this kind: a sentence without its full stop
   */
  readonly adviceFor?: (text: string) => string | undefined;
  /** Whether the data at that place outlives the process. */
  isKept(location: StoreLocation): boolean;
  /**
   * Opens the store and brings its schema up to date.
   * @throws ApplicationError 'unavailable'
   */
  open(location: StoreLocation, options?: OpenOptions): Promise<Store>;
  /**
   * Why a server that was reached does not serve yet, in one sentence. A start then tries again for a while.
   * @param error of `open`, or of the first units of work
   * @returns undefined when another try would fail too
   */
  readonly notReadyReason?: (error: unknown) => string | undefined;
  /**
   * Reports the state of the store without changing it.
   * @returns undefined when a store from outside does not report it
   * @throws ApplicationError 'unavailable'
   */
  inspect(location: StoreLocation): Promise<Inspection | undefined>;
  /**
   * Checks whether a server is a read replica. Undefined where there are no replicas.
   * @returns the reason why it is not; undefined when it is
   */
  readonly inspectReplica?: (url: string) => Promise<string | undefined>;
  /** How connections to the server of a URL are protected. Undefined where no server is. */
  readonly transportOf?: (url: string) => Promise<Transport>;
  /**
   * Copies a database from one file to another. Undefined where the database has tools of its own.
   * @returns the size in bytes, or undefined when it was interrupted
   * @throws BackupError, or the system's error with the name of the file
   */
  readonly backup?: (options: BackupOptions) => Promise<number | undefined>;
}
