import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { hasColours } from '#bootstrap/cli/framework/colours.ts';
import { hasBar, progressOn } from '#bootstrap/cli/framework/progress.ts';

const wipe = '\u001b[K';

/** A progress whose time passes when a test says so. */
const aProgress = (isBar: boolean, isWanted = true) => {
  const stream = Object.assign(new PassThrough(), { columns: 60 });
  let now = 0;
  const progress = progressOn(stream, { isWanted, isBar }, () => now);
  const said = (): string => stream.read()?.toString() ?? '';
  const later = (milliseconds: number, done: number): string => {
    now += milliseconds;
    progress.show({ done, share: done / 1000, of: 'products' });
    return said();
  };
  return { progress, said, later };
};

describe('Progress', () => {
  it('is a line every few seconds where no person watches', () => {
    const { progress, said, later } = aProgress(false);
    expect(later(4_000, 100)).to.equal('');
    expect(later(1_000, 250)).to.equal('25 %: 250 products, 50 a second, 15 s left\n');
    expect(later(4_999, 300)).to.equal('');
    expect(later(1, 500)).to.equal('50 %: 500 products, 50 a second, 10 s left\n');
    progress.aside('line 7: is wrong');
    progress.end();
    expect(said()).to.equal('line 7: is wrong\n');
  });

  it('is a bar on a terminal, no wider than it, which is gone at the end', () => {
    const { progress, said, later } = aProgress(true);
    expect(later(50, 10)).to.equal('');
    const bar = later(50, 500);
    expect(bar).to.match(/^\r\[={12} {12}\] {2}50 % {2}500 products, 5,000 a se/);
    expect(bar.replace(wipe, '')).to.have.lengthOf(60);
    progress.aside('line 7: is wrong');
    const line = bar.slice(1).replace(wipe, '');
    expect(said()).to.equal(`\r${wipe}line 7: is wrong\n${line}`);
    progress.end();
    expect(said()).to.equal(`\r${wipe}`);
  });

  it('says what is left by the pace of what was not passed over', () => {
    const stream = new PassThrough();
    let now = 0;
    const progress = progressOn(stream, { isWanted: true, isBar: false }, () => now);
    now = 10_000;
    progress.show({ done: 100, share: 0.9, passedOver: 0.8, of: 'products' });
    expect(stream.read()?.toString()).to.equal('90 %: 100 products, 10 a second, 10 s left\n');
  });

  it('is a bar only where a line can be wiped', () => {
    expect(hasBar({}, true)).to.equal(true);
    expect(hasBar({ TERM: 'dumb' }, true)).to.equal(false);
    expect(hasBar({}, undefined)).to.equal(false);
  });

  it('is nothing where nobody wants it', () => {
    for (const isBar of [true, false]) {
      const { progress, said, later } = aProgress(isBar, false);
      expect(later(60_000, 500)).to.equal('');
      progress.end();
      expect(said()).to.equal('');
    }
  });
});

describe('Colours', () => {
  it('are there on a terminal, unless the environment says otherwise', () => {
    expect(hasColours({}, true)).to.equal(true);
    expect(hasColours({}, false)).to.equal(false);
    expect(hasColours({}, undefined)).to.equal(false);
    expect(hasColours({ TERM: 'dumb' }, true)).to.equal(false);
    expect(hasColours({ NO_COLOR: '1' }, true)).to.equal(false);
    expect(hasColours({ NO_COLOR: '' }, true)).to.equal(true);
    expect(hasColours({ FORCE_COLOR: '1' }, false)).to.equal(true);
    expect(hasColours({ FORCE_COLOR: '' }, false)).to.equal(true);
    expect(hasColours({ FORCE_COLOR: '0' }, true)).to.equal(false);
    expect(hasColours({ FORCE_COLOR: '1', NO_COLOR: '1' }, true)).to.equal(false);
  });
});
