import { expect } from 'chai';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { failedStart } from '../support/failed-start.ts';

describe('A start that fails at PostgreSQL', () => {
  let there: Database;
  before(async () => {
    there = await freshDatabase();
  });
  after(() => there.drop());

  it('names the setting in one line, and no secret', async () => {
    const { url, drop } = await freshDatabase();
    await drop();
    const stranger = new URL(url);
    stranger.username = 'no-such-user';
    stranger.password = 'secret';
    for (const [address, expected] of [
      [url, /^DATABASE_URL .* cannot be used: .* does not exist/],
      [stranger.href, /^DATABASE_URL .* cannot be used: /],
      [`${there.url}?options=-c%20no_such_setting%3D1`, /^DATABASE_URL .* cannot be used: /],
      [`${there.url}?options=nonsense`, /^DATABASE_URL .* cannot be used: /],
      [
        `${there.url}?lock_timeout=abc`,
        /^DATABASE_URL must not have that value for the parameter lock_timeout\. /,
      ],
    ] as const) {
      expect(await failedStart({ DATABASE_URL: address }))
        .to.match(expected)
        .and.not.include('secret');
    }
  });
});
