import { chmodSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { readEnvFile } from '#bootstrap/config/env-file.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** This user exists on every system. */
const unprivilegedUser = 65_534;

describe('The file .env', () => {
  const place = temporaryFolder();
  const read = (content: string | Uint8Array): Readonly<Record<string, string>> => {
    writeFileSync(place('.env'), content);
    return Object.fromEntries(readEnvFile(place('.env')));
  };
  const messageOf = (content: string | Uint8Array): string => {
    try {
      read(content);
    } catch (error) {
      expect(error).to.be.instanceOf(SettingError);
      return (error as SettingError).message.replace(place('.env'), '.env');
    }
    throw new Error(`accepted: ${content}`);
  };

  it('is read as Node reads it where Node reads all of it', () => {
    for (const content of [
      '',
      '\n\n# A=b\n  # comment\n',
      'A=b',
      'A=b\r\nC=d\r\n',
      ' export A = b \nexport  C=d',
      'A=\nB=\nC=d',
      'A=b c  # comment\nB= # empty',
      `A="b c" # comment\nB='d "e" f'\nC=\`g 'h' "i"\``,
      `A="one\\ntwo"\nB='one\\ntwo'`,
      'A="-----BEGIN KEY-----\nMII=\nQUJD==\n-----END KEY-----"\nB=c',
      'A=""\nB=\'\'\nC=d',
      'A=b\nA=c',
      'A=https://u:p@h/a?b=c&d=e\nB=a=b==',
      'A=b"c\nB=it\'s',
      'a.b-c_1=d',
    ]) {
      expect(read(content), content).to.deep.equal({ ...parseEnv(content) });
    }
  });

  it('does not take the next line for the value of a blank one', () => {
    expect(read('A=  \nB=c\nC= # d\nD=e')).to.deep.equal({ A: '', B: 'c', C: '', D: 'e' });
  });

  it('keeps a # inside a value, and the first variable behind a byte-order mark', () => {
    expect(read('A=abc#def\nB=#abc\nC=a #b#c\nD=a\t# b\nE="a # b"#c\n')).to.deep.equal({
      ...{ A: 'abc#def', B: '', C: 'a', D: 'a', E: 'a # b' },
    });
    expect(read('\ufeffDATABASE_URL=memory:\nPORT=1\n')).to.deep.equal({
      DATABASE_URL: 'memory:',
      PORT: '1',
    });
    expect(read('A=é😀\rB=c\r')).to.deep.equal({ A: 'é😀', B: 'c' });
  });

  it('names each line that is no variable, and never shows its content', () => {
    for (const [content, line, hint] of [
      ['DATABASE_URL: secret', 1, /=.*colon/],
      ['A=b\n\n  DATABASE_URL : secret', 3, /=.*colon/],
      ['A=b\r\nsecret\r\n', 2, /# before a comment/],
      ['A=b\rsecret=\rsecret b=c', 3, /NAME=value/],
      ['=secret', 1, /NAME=value/],
      ['1A=secret', 1, /NAME=value/],
      ['A B=secret', 1, /NAME=value/],
      ['export A', 1, /= and the value behind a name/],
      ['PORT', 1, /= and the value behind a name/],
      ['// secret', 1, /# before/],
      ['[secret]', 1, /NAME=value/],
      ['{"DATABASE_URL":"secret"}', 1, /NAME=value/],
      ['set A=secret', 1, /Remove what is before the name/],
      ['$env:A="secret"', 1, /Remove what is before the name/],
      ['A="secret', 1, /a second "/],
      ["B=c\nA='secret\nPORT=1\nC='d'", 2, /a second '/],
      ['A="secret"secret', 1, /nothing behind the second "/],
      ['A="secret\\"secret"', 1, /nothing behind the second "/],
      ["B=c\nA='secret\nsecret' secret", 3, /nothing behind the second '/],
      ['\u200bA=secret', 1, /invisible character/],
      ['A=b\n\ufeffB=secret', 2, /invisible character/],
      ['A=b\n  \u00a0\n', 2, /invisible character/],
      ['A=b\r\n\u001a', 2, /invisible character/],
    ] as const) {
      const message = messageOf(content);
      expect(message, content)
        .to.match(/^\.env must [^\n]+\.$/)
        .and.match(new RegExp(`in line ${line}\\.`))
        .and.match(hint)
        .and.not.include('secret');
    }
  });

  it('must be in UTF-8', () => {
    const text = 'DATABASE_URL=postgres://db/shop\n';
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const content of [
      utf16,
      Buffer.from(utf16).swap16(),
      Buffer.from(text, 'utf16le'),
      Buffer.from('A=Café', 'latin1'),
      'A=b\0c',
      Buffer.from([0x41, 0x3d, 0xff]),
    ]) {
      expect(messageOf(content)).to.match(/^\.env must be a text in UTF-8\. [^\n]+\.$/);
    }
  });

  it('may be missing, and must be readable otherwise', () => {
    expect(readEnvFile(place('none'))).to.deep.equal(new Map());
    expect(() => readEnvFile(place())).to.throw(
      SettingError,
      /must be a file with settings, not a folder\.$/,
    );
    writeFileSync(place('.env'), 'A=b');
    chmodSync(place('.env'), 0o200);
    // Root may read everything.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(unprivilegedUser);
    try {
      const message = /must be readable for the user that runs Portico: permission denied \(EACCES\)\.$/;
      expect(() => readEnvFile(place('.env'))).to.throw(SettingError, message);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});
