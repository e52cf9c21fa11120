import { readFileSync } from 'node:fs';
import { expect } from 'chai';

describe('An npm script that runs tests or a command of the laboratory', () => {
  it('replaces its shell with exec, because a shell does not pass on the signals that npm sends it', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const long = Object.entries(scripts).filter(([, script]) =>
      /\bmocha\b|\btest\/[\w-]+\/main\.ts/.test(script),
    );
    expect(long.map(([name]) => name)).to.include.members(['test', 'e2e', 'night:test', 'proof', 'chaos']);
    for (const [name, script] of long) expect(script, name).to.match(/^exec /);
  });
});
