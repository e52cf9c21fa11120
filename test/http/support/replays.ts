import { expect } from 'chai';
import type { ApiResponse } from './client.ts';

/** Sends the same request twice, one after the other. */
export const twice = async (
  send: () => Promise<ApiResponse>,
): Promise<readonly [ApiResponse, ApiResponse]> => [await send(), await send()];

export const isReplay = ({ headers }: ApiResponse): boolean => headers.get('Idempotent-Replayed') === 'true';

/** Expects the second response to equal the first to the byte, and to be marked as a replay. */
export const expectReplay = (replay: ApiResponse, first: ApiResponse): void => {
  expect(isReplay(first)).to.equal(false);
  expect(isReplay(replay), replay.text).to.equal(true);
  expect(replay.status).to.equal(first.status);
  expect(replay.text).to.equal(first.text);
  for (const header of ['ETag', 'Location', 'Content-Type']) {
    expect(replay.headers.get(header), header).to.equal(first.headers.get(header));
  }
};
