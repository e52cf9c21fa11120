import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { portico } from '../support/portico.ts';
import { startServer } from '../support/server.ts';

describe('The compile cache', () => {
  const inFolder = temporaryFolder();

  it('is used by the next start and by commands, whichever wrote it', async () => {
    const environment = {
      NODE_COMPILE_CACHE: inFolder('compiled'),
      // Node prints for each module whether it uses the cached code.
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
      DATABASE_URL: `sqlite:${inFolder('portico.db')}`,
    };
    const start = async (): Promise<string> => {
      const { program } = await startServer(environment);
      program.signal('SIGINT');
      expect(await program.ended()).to.equal(0);
      return program.output + program.errors;
    };
    const list = async (): Promise<string> => {
      const program = portico(['keys', 'list'], { settings: environment, folder: inFolder('.') });
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
