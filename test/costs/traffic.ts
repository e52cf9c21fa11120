/** What a database was asked to do so far. Only ever grows. */
export interface Traffic {
  statements: number;
  /** Round trips: how often a client sends something and waits for the response. Undefined without a connection. */
  exchanges?: number;
  commits: number;
  /** Bytes sent to the database. Undefined without a connection. */
  bytes?: number;
}

/** Cuts a stream of bytes into messages, whatever the chunks in which it arrives. */
export const splitMessages = (
  lengthOf: (bytes: Buffer) => number | undefined,
  onMessage: (message: Buffer) => void,
): ((data: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  return (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    for (;;) {
      const length = lengthOf(rest);
      if (length === undefined || rest.length < length) return;
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
};
