import type { IncomingMessage, ServerResponse } from 'node:http';

/** A line for people, or for whoever only looks at the status. */
export const answerPlainly = (response: ServerResponse, status: number, text: string): void => {
  if (response.headersSent) return;
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${text}\n`);
};

/** Whether the request only wants to read. Any other is refused here. */
export const isReading = ({ method }: IncomingMessage, response: ServerResponse): boolean => {
  if (method === 'GET' || method === 'HEAD') return true;
  answerPlainly(response.setHeader('Allow', 'GET, HEAD'), 405, 'Only GET and HEAD.');
  return false;
};
