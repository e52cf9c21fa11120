import { setTimeout as pause } from 'node:timers/promises';
import { certificate } from '../http/certificate.ts';
import { Session } from '../http/session.ts';
import { serve, token } from './production.ts';
import type { Conditions, Finding } from './trial.ts';

/** Connections of HTTP/2 on which much is asked and nothing read, and requests on each. */
const count = 20;
const each = 90;

/** Within that all of them have to be closed, in milliseconds. */
const limit = 15_000;

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
  let bad = 0;
  let slowest = 0;
  while (left > 0 && performance.now() - begun < limit) {
    const asked = performance.now();
    const { status } = await honest.ask('GET', '/v1/products');
    slowest = Math.max(slowest, performance.now() - asked);
    if (status !== 200) bad += 1;
    await pause(20);
  }
  return [
    {
      expected: `${count} connections of HTTP/2 that read none of ${each} answers are closed within 15 s`,
      seen: `${left} left after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
      held: left === 0,
    },
    {
      expected: 'and others are served meanwhile',
      seen: `${bad} were not, the slowest took ${slowest.toFixed(1)} ms`,
      held: bad === 0,
    },
  ];
};
