import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { createProgress, supportsBar } from '#bootstrap/cli/framework/progress.ts';
import { supportsColours } from '#bootstrap/cli/framework/terminal.ts';

const clearLine = '\u001b[K';

/** A progress on a fake clock that `advance` moves. */
const fakeProgress = (isBar: boolean, isWanted = true, columns = 60) => {
  const stream = Object.assign(new PassThrough(), { columns });
  let now = 0;
  const progress = createProgress(stream, { isEnabled: isWanted, isBar }, () => now);
  const output = (): string => stream.read()?.toString() ?? '';
  const advance = (milliseconds: number, done: number): string => {
    now += milliseconds;
    progress.update({ done, share: done / 1000, unit: 'products' });
    return output();
  };
  return { progress, output, advance };
};

describe('Progress', () => {
  it('is a line every five seconds without a terminal', () => {
    const { progress, output, advance } = fakeProgress(false);
    expect(advance(4_000, 100)).to.equal('');
    expect(advance(1_000, 250)).to.equal('25 %: 250 products, 50/s, 15 s left\n');
    expect(advance(4_999, 300)).to.equal('');
    expect(advance(1, 500)).to.equal('50 %: 500 products, 50/s, 10 s left\n');
    progress.printAbove('line 7: is wrong');
    progress.end();
    expect(output()).to.equal('line 7: is wrong\n');
  });

  it('is a bar on a terminal, no wider than the terminal, and is cleared at the end', () => {
    const { progress, output, advance } = fakeProgress(true);
    expect(advance(50, 10)).to.equal('');
    const bar = advance(50, 500);
    expect(bar).to.match(/^\r\[={12} {12}\] {2}50 % {2}500 products, 5,000\/s, /);
    expect(bar.replace(clearLine, '')).to.have.lengthOf(60);
    progress.printAbove('line 7: is wrong');
    const line = bar.slice(1).replace(clearLine, '');
    expect(output()).to.equal(`\r${clearLine}line 7: is wrong\n${line}`);
    progress.end();
    expect(output()).to.equal(`\r${clearLine}`);
  });

  const widths: readonly (readonly [number, string])[] = [
    [200, '[============            ]  50 %  500 products, 5,000/s, 1 s left'],
    [40, '[============            ]  50 %  500 p'],
    [33, '[============            ]  50 %'],
    [24, '[========       ]  50 %'],
    [13, '[==  ]  50 %'],
    [12, '50 %  500 p'],
    [5, '50 %'],
    [0, '[============            ]  50 %  500 products, 5,000/s, 1 s left'],
  ];
  it('has its percentage in a window of any width', () => {
    for (const [columns, line] of widths) {
      const shown = fakeProgress(true, true, columns).advance(100, 500);
      expect(shown, `${columns} columns`).to.equal(`\r${line}${clearLine}`);
    }
  });

  it('estimates the time left without the share that was skipped', () => {
    const stream = new PassThrough();
    let now = 0;
    const progress = createProgress(stream, { isEnabled: true, isBar: false }, () => now);
    now = 10_000;
    progress.update({ done: 100, share: 0.9, skippedShare: 0.8, unit: 'products' });
    expect(stream.read()?.toString()).to.equal('90 %: 100 products, 10/s, 10 s left\n');
  });

  it('is a bar only on a terminal that can clear a line', () => {
    expect(supportsBar({}, true)).to.equal(true);
    expect(supportsBar({ TERM: 'dumb' }, true)).to.equal(false);
    expect(supportsBar({}, undefined)).to.equal(false);
  });

  it('is nothing when it is switched off', () => {
    for (const isBar of [true, false]) {
      const { progress, output, advance } = fakeProgress(isBar, false);
      expect(advance(60_000, 500)).to.equal('');
      progress.end();
      expect(output()).to.equal('');
    }
  });
});

describe('Colours', () => {
  it('are used on a terminal, unless the environment overrides that', () => {
    expect(supportsColours({}, true)).to.equal(true);
    expect(supportsColours({}, false)).to.equal(false);
    expect(supportsColours({}, undefined)).to.equal(false);
    expect(supportsColours({ TERM: 'dumb' }, true)).to.equal(false);
    expect(supportsColours({ NO_COLOR: '1' }, true)).to.equal(false);
    expect(supportsColours({ NO_COLOR: '' }, true)).to.equal(true);
    expect(supportsColours({ FORCE_COLOR: '1' }, false)).to.equal(true);
    expect(supportsColours({ FORCE_COLOR: '' }, false)).to.equal(true);
    expect(supportsColours({ FORCE_COLOR: '0' }, true)).to.equal(false);
    expect(supportsColours({ FORCE_COLOR: '1', NO_COLOR: '1' }, true)).to.equal(false);
  });
});
