import { expect } from 'chai';
import { WaitingLines } from '#adapters/system/waiting-lines.ts';

describe('Lines that wait', () => {
  it('are taken in their order, however many there are and whatever they are written with', () => {
    const lines = ['a', 'ä', '漢字', '😀', 'x'.repeat(100), '', '😀'.repeat(30), '\ud800'];
    const waiting = new WaitingLines(4);
    for (const line of lines) waiting.add(line);
    const all = Buffer.from(lines.join(''));
    expect(waiting.length).to.equal(all.length);
    expect(waiting.take().equals(all)).to.equal(true);
    expect(waiting.length).to.equal(0);
  });

  it('leave alone what was taken before', () => {
    const waiting = new WaitingLines(16);
    waiting.add('before');
    const before = waiting.take();
    waiting.add('after!');
    expect(before.toString()).to.equal('before');
    expect(waiting.take().toString()).to.equal('after!');
  });

  it('take the place of what was given back, and of nothing else', () => {
    const waiting = new WaitingLines(16);
    const takeOf = (line: string): Buffer => {
      waiting.add(line);
      return waiting.take();
    };
    const first = takeOf('first');
    const second = takeOf('second');
    waiting.giveBack();
    const third = takeOf('third');
    const fourth = takeOf('fourth');
    expect([first, second, third].map(String)).to.deep.equal(['first', 'fourth', 'third']);
    expect(fourth.buffer).to.equal(second.buffer);
  });
});
