import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { nightFiles, nightProofs } from './night.ts';
import { byDay, byNight, nightTestOf } from './proofs.ts';

const scripts = (): ReadonlySet<string> => {
  // Each proof is a script of package.json, so that a person can run it alone.
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return new Set(Object.keys(scripts));
};

describe('The night', () => {
  it('lists every test file that runs by night only, each once, with a reason', () => {
    const files = globSync('test/**/*.night.test.ts', { exclude: ['**/node_modules/**'] });
    expect(nightFiles.map(({ file }) => file)).to.have.members(files);
    for (const { file, reason } of nightFiles) expect(reason, file).to.match(/^[A-Z].{20,}\.$/);
  });

  it('has a reason for each of its proofs, and for no other', () => {
    expect(Object.keys(nightProofs)).to.have.members(byNight.map(({ name }) => name));
    for (const [name, reason] of Object.entries(nightProofs))
      expect(reason, name).to.match(/^[A-Z].{20,}\.$/);
  });

  it('has 25 proofs and 6 test files, a number that a change raises when it moves another to the night', () => {
    expect([byNight.length, nightFiles.length]).to.deep.equal([25, 6]);
  });

  it('runs scripts that exist', () => {
    for (const { name, script } of [...byDay, ...byNight]) expect(scripts(), name).to.include(script[0]);
  });

  it('gives each commit one of its certain test files, always the same one', () => {
    const hashes = Array.from(
      { length: 64 },
      (_, index) => `${index.toString(16).padStart(8, '0')}${'0'.repeat(32)}`,
    );
    const picked = new Set(hashes.map((hash) => nightTestOf(hash).script.at(-1)));
    const certain = nightFiles.filter(({ isPicked }) => isPicked).map(({ file }) => file);
    expect([...picked]).to.have.members(certain);
    expect(nightTestOf('c0ffee00')).to.deep.equal(nightTestOf('c0ffee00'));
  });
});
