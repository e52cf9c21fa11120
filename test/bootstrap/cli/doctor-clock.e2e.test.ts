import { chmodSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkMachineClock } from '#bootstrap/cli/doctor/machine.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { statesOf } from '../support/findings.ts';

describe('The doctor, of the clock of this machine', () => {
  const place = temporaryFolder();

  it('asks systemd whether the clock of this machine is synchronized', async () => {
    const { PATH } = process.env;
    const answer = (text: string) => {
      writeFileSync(place('timedatectl'), `#!/bin/sh\n${text}\n`);
      chmodSync(place('timedatectl'), 0o755);
      return checkMachineClock();
    };
    Object.assign(process.env, { PATH: place() });
    try {
      expect(statesOf(await checkMachineClock())).to.deep.equal(['ok time']);
      expect(statesOf(await answer('echo yes'))).to.deep.equal(['ok time']);
      expect(statesOf(await answer('echo no'))).to.deep.equal(['warn time']);
      expect(statesOf(await answer('exit 1'))).to.deep.equal(['ok time']);
    } finally {
      Object.assign(process.env, { PATH });
    }
  });
});
