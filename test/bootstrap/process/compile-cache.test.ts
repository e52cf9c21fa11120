import { expect } from 'chai';
import { startFlags } from '../../support/start-flags.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { Program } from '../support/program.ts';
import { startServer } from '../support/server.ts';

describe('Code that has been compiled', function () {
  this.timeout(60_000);
  const inFolder = temporaryFolder();

  it('is good for the next start and for commands, whichever kept it', async () => {
    const environment = {
      NODE_COMPILE_CACHE: inFolder('compiled'),
      // Node tells of each module whether it takes what was kept, on standard output.
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
      DATABASE_URL: `sqlite:${inFolder('portico.db')}`,
    };
    const start = async (): Promise<string> => {
      const { program } = await startServer(environment, startFlags);
      program.signal('SIGINT');
      expect(await program.ended()).to.equal(0);
      return program.output + program.errors;
    };
    const list = async (): Promise<string> => {
      const words = ['keys', 'list'];
      const program = new Program('bootstrap/portico.mjs', environment, inFolder('.'), startFlags, words);
      expect(await program.ended()).to.equal(0);
      return program.output + program.errors;
    };
    await start();
    await list();
    for (const said of [await start(), await list()]) {
      expect(said).to.include(' was accepted');
      expect(said).not.to.include(' was rejected');
    }
  });
});
