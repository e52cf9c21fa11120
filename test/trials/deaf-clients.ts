import { setTimeout as pause } from 'node:timers/promises';
import { certificate } from '../http/support/certificate.ts';
import { Session } from '../http/support/session.ts';
import { serve, token } from './production.ts';
import type { Conditions, Finding } from './trial.ts';

/** Connections of HTTP/2 on which much is asked and nothing read, and requests on each. */
const count = 20;
const each = 90;

/** Within that all of them have to be closed, in milliseconds. */
const limit = 15_000;

/** How long anybody else may wait for an answer, and for how long that may be to come again later, in milliseconds. */
const moments = 2_000;

/** Nobody need show a credential for it: each of their answers is a refusal that is never taken. */
export const deafClients = async ({ cleanUp }: Pick<Conditions, 'cleanUp'>): Promise<readonly Finding[]> => {
  const { certFile, keyFile, cert } = certificate;
  const { port } = await serve({ cleanUp }, 'memory:', { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
  const url = `https://127.0.0.1:${port}`;
  const honest = await Session.open(url, cert, token);
  cleanUp.defer(() => honest.close());
  const begun = performance.now();
  let left = count;
  for (let place = 0; place < count; place += 1) {
    const deaf = await Session.open(url, cert, 'nobody', { initialWindowSize: 0 });
    cleanUp.defer(() => deaf.close());
    for (let request = 0; request < each; request += 1) deaf.begin('GET', '/v1/products').end();
    deaf.closed.then(() => {
      left -= 1;
    });
  }
  const asked = performance.now();
  let slowest = 0;
  let refused = 0;
  let lastRefused = 0;
  let bad = 0;
  while (left > 0 && performance.now() - begun < limit) {
    const from = performance.now();
    const { status, headers } = await honest.ask('GET', '/v1/products');
    const now = performance.now();
    slowest = Math.max(slowest, now - from);
    if (status === 503 && headers.has('Retry-After')) {
      refused += 1;
      lastRefused = now - asked;
    } else if (status !== 200) bad += 1;
    await pause(20);
  }
  return [
    {
      expected: `${count} connections of HTTP/2 that read none of ${each} answers are closed within 15 s`,
      seen: `${left} left after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
      held: left === 0,
    },
    {
      expected: 'others are answered within 2 s meanwhile',
      seen: `${slowest.toFixed(1)} ms at the most`,
      held: slowest < moments,
    },
    {
      expected:
        'and told to come again in the first 2 s at the most, while all that was asked at once is looked at',
      seen: `${refused} were, the last after ${lastRefused.toFixed(1)} ms, and ${bad} answered otherwise`,
      held: lastRefused < moments && bad === 0,
    },
  ];
};
