import { expect } from 'chai';
import { translateError } from '#adapters/persistence/mariadb/errors.ts';
import { ServerSettingError } from '#adapters/persistence/mariadb/server-setting-error.ts';
import { UnavailableError } from '#application/errors.ts';

const numbered = (errno: number) => Object.assign(new Error('it failed'), { errno, code: 'ER_ANY' });

describe('An error of MariaDB', () => {
  it('that passes by waiting makes the database unavailable: also too many prepared statements', () => {
    for (const errno of [1040, 1226, 1461])
      expect(translateError(numbered(errno)), `${errno}`).to.be.instanceOf(UnavailableError);
  });

  it('that a setting of the server causes names the setting, and is not unavailable', () => {
    for (const [errno, setting] of [
      [1665, 'binlog_format'],
      [1153, 'max_allowed_packet'],
    ] as const) {
      const error = numbered(errno);
      expect(translateError(error))
        .to.be.instanceOf(ServerSettingError)
        .and.include({ cause: error })
        .with.property('message')
        .that.includes(setting);
    }
  });

  it('that is a defect stays as it is', () => {
    const error = numbered(1064);
    expect(translateError(error)).to.equal(error);
  });
});
