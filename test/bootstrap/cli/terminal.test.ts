import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { renderTable } from '#bootstrap/cli/framework/table.ts';
import { createColours, createTerminal, escapeControl } from '#bootstrap/cli/framework/terminal.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('Text for a terminal', () => {
  it('has its control characters escaped', () => {
    expect(escapeControl('\u001b]0;mine\u0007')).to.equal('\\u001b]0;mine\\u0007');
    expect(escapeControl('a\nb\r\tc\u007f\u009b2J')).to.equal('a\\u000ab\\u000d\\u0009c\\u007f\\u009b2J');
    expect(escapeControl('a\u202eb\u2028c')).to.equal('a\\u202eb\\u2028c');
    expect(escapeControl('Björn ☕ 茶 👩‍🍳 \\u001b')).to.equal('Björn ☕ 茶 👩‍🍳 \\u001b');
  });

  it('is in blocks where a table is wider than the window', () => {
    const rows = [
      ['ID', 'NAME'],
      ['7', 'Ada\nB'],
      ['8', ''],
    ];
    const table = 'ID  NAME\n7   Ada\\u000aB\n8\n';
    const blocks = 'ID    7\nNAME  Ada\\u000aB\n\nID    8\nNAME\n';
    for (const columns of [undefined, 80, 14]) expect(renderTable(rows, columns)).to.equal(table);
    for (const columns of [13, 1]) expect(renderTable(rows, columns)).to.equal(blocks);
  });

  it('is escaped in tables and in colours', () => {
    expect(renderTable([['a\u001b[2J', 'b\nc']])).to.equal('a\\u001b[2J  b\\u000ac\n');
    expect(createColours(true).error('\u001b[2J')).to.equal('\u001b[31m\\u001b[2J\u001b[39m');
  });
});

describe('A signal at a terminal', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('is a second one only half a second after the first, because npm forwards what the shell has sent', () => {
    const signals = new EventEmitter();
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const terminal = createTerminal({
      ...{ ...streams, env: {} },
      on: (signal, listener) => signals.on(signal, listener),
    });
    const [first, second] = [terminal.interruptSignal(), terminal.forceSignal()];
    signals.emit('SIGINT');
    expect([first.aborted, first.reason, second.aborted]).to.deep.equal([true, 'SIGINT', false]);
    time.rest(500);
    signals.emit('SIGTERM');
    expect(second.aborted).to.equal(false);
    time.rest(1);
    signals.emit('SIGTERM');
    expect([second.aborted, second.reason, first.reason]).to.deep.equal([true, 'SIGTERM', 'SIGINT']);
  });
});
