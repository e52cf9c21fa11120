import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { certificate } from '../http/support/certificate.ts';
import { credential, requestText, Wire } from '../http/support/wire.ts';
import { serve, token } from './production.ts';
import type { Conditions, Finding } from './trial.ts';

/** Connections that read no response, and the pipelined requests on each, with more responses than a connection buffers. */
const count = 20;
const requestsPerConnection = 100_000;
const unreadRequest = requestText('GET /v1/products');

/** The server must close all of them within this time. */
const maxCloseMs = 60_000;

/** Bounds the latency of other clients, and for how long they may be shed. */
const maxImpactMs = 2_000;

const honestRequest = requestText('GET /v1/products', [credential({ token })]);

/** A slow-read attack needs no credential: each unread response is a 401. */
export const slowReaders = async ({ cleanUp }: Pick<Conditions, 'cleanUp'>): Promise<readonly Finding[]> => {
  const { certFile, keyFile, cert } = certificate;
  const { port } = await serve({ cleanUp }, 'memory:', { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
  const url = `https://127.0.0.1:${port}`;
  const honest = await Wire.open(url, cert);
  cleanUp.defer(() => honest.destroy());
  const begun = performance.now();
  let left = count;
  const requests = unreadRequest.repeat(requestsPerConnection);
  for (let place = 0; place < count; place += 1) {
    const reader = connect({ host: '127.0.0.1', port, ca: cert }).pause();
    cleanUp.defer(() => void reader.destroy());
    await once(reader, 'secureConnect');
    reader
      .on('error', () => undefined)
      .on('close', () => {
        left -= 1;
      });
    reader.write(requests);
    // A connection on which nothing is read notices its end when it sends.
    const sending = setInterval(() => reader.write(unreadRequest), 1_000);
    reader.once('close', () => clearInterval(sending));
  }
  const requested = performance.now();
  let slowest = 0;
  let shed = 0;
  let lastShed = 0;
  let bad = 0;
  while (left > 0 && performance.now() - begun < 5 * maxCloseMs) {
    const from = performance.now();
    const { status, headers } = await honest.write(honestRequest).answer();
    const now = performance.now();
    slowest = Math.max(slowest, now - from);
    if (status === 503 && headers.has('Retry-After')) {
      shed += 1;
      lastShed = now - requested;
    } else if (status !== 200) bad += 1;
    await pause(20);
  }
  const took = performance.now() - begun;
  return [
    {
      expected: `${count} connections that read none of ${requestsPerConnection} responses are closed`,
      seen: `${left} left`,
      held: left === 0,
    },
    {
      expected: `within ${maxCloseMs / 1000} s`,
      seen: `after ${(took / 1000).toFixed(1)} s`,
      held: took < maxCloseMs,
      isTimed: true,
    },
    {
      expected: 'other clients get a response within 2 s meanwhile',
      seen: `${slowest.toFixed(1)} ms at most`,
      held: slowest < maxImpactMs,
      isTimed: true,
    },
    {
      expected: 'and are shed in the first 2 s at most, while the burst of requests is rejected',
      seen: `${shed} were, the last after ${lastShed.toFixed(1)} ms`,
      held: lastShed < maxImpactMs,
      isTimed: true,
    },
    {
      expected: 'and get no other status than 200 and 503',
      seen: `${bad} did`,
      held: bad === 0,
    },
  ];
};
