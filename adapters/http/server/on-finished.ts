import type { ServerResponse } from 'node:http';

const tellers = Symbol('tellers');

interface Followed {
  [tellers]?: (() => void)[];
}

/** Tells once an answer is out, or its connection gone. Many may ask, and one listener does for them all. */
export const onFinished = (response: ServerResponse & Followed, tell: () => void): void => {
  const known = response[tellers];
  if (known !== undefined) {
    known.push(tell);
    return;
  }
  const all = [tell];
  response[tellers] = all;
  response.on('close', () => {
    for (const each of all) each();
  });
};
