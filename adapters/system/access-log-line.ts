/** The fields of a finished request in the access log. */
export interface AccessLogFields {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the path. The path itself may contain anything, such as a token. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The message of the line. */
  readonly ending: string;
  /** UUIDs; undefined when the caller is not authenticated. */
  readonly caller: { readonly keyId: string; readonly userId: string } | undefined;
}

const needsNoEscape = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const quote = (text: string): string => (needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text));

/**
 * Formats access log lines as pino would. There is one for each request, so it concatenates the known fields instead of
 * serializing an object. Methods, routes, endings and UUIDs are Portico's own and need no escaping.
 * @param base the fields of every line of the log
 * @param redact removes secrets from what the client sent
 */
export const accessLogLine = (base: object, redact: (text: string) => string) => {
  const common = `,${JSON.stringify(base).slice(1, -1)},"requestId":`;
  return (request: AccessLogFields, traceId?: string): string => {
    const { requestId, method, route, status, milliseconds, ending, caller } = request;
    const who = caller === undefined ? '' : `,"keyId":"${caller.keyId}","userId":"${caller.userId}"`;
    const trace = traceId === undefined ? '' : `,"traceId":${quote(traceId)}`;
    const what = `"method":"${method}","route":"${route}","status":${status},"durationMs":${milliseconds.toFixed(3)}`;
    return `{"level":30,"time":${Date.now()}${common}${quote(redact(requestId))},${what}${who}${trace},"msg":"${ending}"}\n`;
  };
};
