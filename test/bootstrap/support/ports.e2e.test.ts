import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

/** Prints its ports, and owns them until the others have printed theirs. */
const script = `
  const { freePort } = await import(${JSON.stringify(new URL('ports.ts', import.meta.url).href)});
  const ports = [];
  while (ports.length < 120) ports.push(await freePort());
  console.log(JSON.stringify(ports));
  setTimeout(() => {}, 3_000);
`;

describe('The free ports of a process', () => {
  it('are those of no other process beside it, also when many are used', async () => {
    const runs = Array.from({ length: 8 }, () =>
      run(process.execPath, ['--input-type=module', '--eval', script]),
    );
    const ports = (await Promise.all(runs)).flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
    expect(new Set(ports)).to.have.property('size', 8 * 120);
  });
});
