import { expect } from 'chai';
import { colours } from '#bootstrap/cli/framework/colours.ts';
import { columns } from '#bootstrap/cli/framework/columns.ts';
import { visible } from '#bootstrap/cli/framework/escape-control.ts';

describe('What a person reads', () => {
  it('shows what would work on the terminal in place of letting it', () => {
    expect(visible('\u001b]0;mine\u0007')).to.equal('\\u001b]0;mine\\u0007');
    expect(visible('a\nb\r\tc\u007f\u009b2J')).to.equal('a\\u000ab\\u000d\\u0009c\\u007f\\u009b2J');
    expect(visible('a\u202eb\u2028c')).to.equal('a\\u202eb\\u2028c');
    expect(visible('Björn ☕ 茶 👩‍🍳 \\u001b')).to.equal('Björn ☕ 茶 👩‍🍳 \\u001b');
  });

  it('is so in tables and in colours', () => {
    expect(columns([['a\u001b[2J', 'b\nc']])).to.equal('a\\u001b[2J  b\\u000ac\n');
    expect(colours(true).bad('\u001b[2J')).to.equal('\u001b[31m\\u001b[2J\u001b[39m');
  });
});
