import { expect } from 'chai';
import { SimulatedTimers } from './simulated-timers.ts';

describe('Simulated timers', () => {
  let timers: SimulatedTimers;
  let ran: string[];
  beforeEach(() => {
    timers = new SimulatedTimers();
    ran = [];
  });
  afterEach(() => timers.end());

  const run = (name: string) => (): unknown => ran.push(name);

  it('run in the order of their times, and of their starts at the same time', () => {
    setTimeout(run('late'), 20);
    setTimeout(run('first'), 10);
    setTimeout(run('second'), 10);
    timers.advance(9);
    expect(ran).to.deep.equal([]);
    timers.advance(11);
    expect(ran).to.deep.equal(['first', 'second', 'late']);
  });

  it('run at their own time what they start', () => {
    setTimeout(() => setTimeout(run('inner'), 5), 10);
    timers.advance(14);
    expect(ran).to.deep.equal([]);
    timers.advance(1);
    expect(ran).to.deep.equal(['inner']);
  });

  it('repeat until they are cleared', () => {
    const timer = setInterval(run('again'), 10);
    timers.advance(35);
    clearInterval(timer);
    timers.advance(35);
    expect(ran).to.deep.equal(['again', 'again', 'again']);
  });

  it('may be cleared after they have run, and started again', () => {
    const timer = setTimeout(run('it'), 10);
    setTimeout(run('other'), 30);
    timers.advance(10);
    clearTimeout(timer);
    timer.refresh();
    timers.advance(10);
    expect(ran).to.deep.equal(['it', 'it']);
  });

  it('give the real ones back', () => {
    const simulated = setTimeout;
    timers.end();
    expect(setTimeout).not.to.equal(simulated);
  });
});
