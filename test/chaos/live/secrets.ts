import { readFile } from 'node:fs/promises';
import type { Server } from '../server.ts';
import { returnMark } from './requests.ts';

/** A client secret, where a payer is sent, and where they return to. */
const secret = new RegExp(`_secret_|hooks\\.stripe\\.com|${returnMark}`);

export const hasSecret = (text: string): boolean => secret.test(text);

/** The lines of a server's log and metrics that show what only the payer may see, or other secrets. */
export const findLeaks = async (
  { name, log, opsPort }: Pick<Server, 'name' | 'log' | 'opsPort'>,
  isSecret = hasSecret,
): Promise<readonly string[]> => {
  const metrics = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  if (!metrics.ok) throw new Error(`The metrics of ${name} got ${metrics.status}.`);
  const texts = { log: await readFile(log, 'utf8'), metrics: await metrics.text() };
  return Object.entries(texts).flatMap(([source, text]) =>
    text
      .split('\n')
      .filter(isSecret)
      .map((line) => `${source} of ${name}: ${line}`),
  );
};
