import { expect } from 'chai';
import { createColours, escapeControl, renderTable } from '#bootstrap/cli/framework/terminal.ts';

describe('Text for a terminal', () => {
  it('has its control characters escaped', () => {
    expect(escapeControl('\u001b]0;mine\u0007')).to.equal('\\u001b]0;mine\\u0007');
    expect(escapeControl('a\nb\r\tc\u007f\u009b2J')).to.equal('a\\u000ab\\u000d\\u0009c\\u007f\\u009b2J');
    expect(escapeControl('a\u202eb\u2028c')).to.equal('a\\u202eb\\u2028c');
    expect(escapeControl('Björn ☕ 茶 👩‍🍳 \\u001b')).to.equal('Björn ☕ 茶 👩‍🍳 \\u001b');
  });

  it('is escaped in tables and in colours', () => {
    expect(renderTable([['a\u001b[2J', 'b\nc']])).to.equal('a\\u001b[2J  b\\u000ac\n');
    expect(createColours(true).error('\u001b[2J')).to.equal('\u001b[31m\\u001b[2J\u001b[39m');
  });
});
