import { symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { findAdapterModule } from '#bootstrap/config/adapter-module.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';
import { outsideProject } from '../support/outside.ts';

describe('The module that a setting names', () => {
  const { place, write } = outsideProject();

  /** Finds it from a folder of the project. */
  const find = (text: string, folder = '.') => {
    const before = process.cwd();
    process.chdir(place(folder));
    try {
      return findAdapterModule('PERSISTENCE_ADAPTER', text);
    } finally {
      process.chdir(before);
    }
  };

  const reject = (text: string): string => {
    try {
      return `found ${find(text).url}`;
    } catch (error) {
      expect(error).to.be.instanceOf(SettingError);
      return (error as Error).message;
    }
  };

  const install = (name: string, description: object): void => {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, ...description }));
    for (const file of ['right.js', 'wrong.js', 'index.js']) write(`node_modules/${name}/${file}`, '');
  };

  it('is a path from the working folder, with any characters', () => {
    write('sub/my store #1%20.ts', '');
    const found = find('./my store #1%20.ts', 'sub');
    expect(found.file).to.equal('my store #1%20.ts');
    expect(found.url).to.match(/\/sub\/my%20store%20%231%2520\.ts$/);
    expect(found).to.include({ setting: 'PERSISTENCE_ADAPTER', factory: 'openStore' });
    expect(find('./sub/my store #1%20.ts').url).to.equal(found.url);
    expect(find(place('sub/my store #1%20.ts'), 'node_modules').url).to.equal(found.url);
    write('above.ts', '');
    expect(find('../above.ts', 'sub').url).to.match(/\/above\.ts$/);
  });

  it('is a package, found by its description', () => {
    for (const [what, description] of [
      ['main', { main: './right.js' }],
      ['exports alone', { exports: './right.js', main: './wrong.js' }],
      ['the condition import alone', { exports: { import: './right.js' } }],
      ['the condition module-sync', { exports: { 'module-sync': './right.js', default: './wrong.js' } }],
      ['the condition default', { exports: { require: './wrong.js', default: './right.js' } }],
      ['nested conditions', { exports: { '.': { types: './wrong.js', node: { import: './right.js' } } } }],
      [
        'the first condition that holds',
        { exports: { node: { require: './wrong.js' }, import: './right.js' } },
      ],
    ] as const) {
      install('a-store', description);
      expect(find('a-store').file, what).to.equal('node_modules/a-store/right.js');
    }
  });

  it('is a package with a scope, an entry of it, or one in a folder above', () => {
    install('@shop/stores', { exports: { '.': './wrong.js', './libsql': { import: './right.js' } } });
    expect(find('@shop/stores/libsql').file).to.equal('node_modules/@shop/stores/right.js');
    expect(find('@shop/stores/libsql', 'sub').url).to.match(/\/node_modules\/@shop\/stores\/right\.js$/);
    install('plain-store', {});
    expect(find('plain-store').file).to.equal('node_modules/plain-store/index.js');
    expect(find('plain-store/right.js').file).to.equal('node_modules/plain-store/right.js');
    symlinkSync(place('sub'), place('node_modules/linked-store'));
    write('sub/package.json', '{ "exports": "./my-store.ts" }');
    write('sub/my-store.ts', '');
    expect(find('linked-store').file).to.equal('node_modules/linked-store/my-store.ts');
  });

  it('is an entry that a pattern of the package exports: the most specific one, unless that excludes it', () => {
    install('many-stores', {
      exports: {
        './*': './wrong.js',
        './stores/*': './dist/*.js',
        './stores/private/*': null,
        './stores/*.js': { import: ['./dist/*.js'] },
        './stores/sql/*/store': './dist/*/*.js',
      },
    });
    for (const file of ['libsql.js', 'lite/lite.js', 'deep/one.js'])
      write(`node_modules/many-stores/dist/${file}`, '');
    const folder = 'node_modules/many-stores/dist';
    expect(find('many-stores/stores/libsql').file).to.equal(`${folder}/libsql.js`);
    expect(find('many-stores/stores/libsql.js').file).to.equal(`${folder}/libsql.js`);
    expect(find('many-stores/stores/deep/one').file).to.equal(`${folder}/deep/one.js`);
    expect(find('many-stores/stores/sql/lite/store').file).to.equal(`${folder}/lite/lite.js`);
    expect(reject('many-stores/stores/private/one')).to.match(/no package of that name is installed/);
    expect(reject('many-stores/stores/absent')).to.match(/dist\/absent\.js, which is no file\./);
  });

  it('is the file: URL of a path', () => {
    const file = write('sub/my url #1.ts', '');
    expect(find(pathToFileURL(file).href).file).to.equal('sub/my url #1.ts');
    expect(reject(`file://${place('sub/gone.ts')}`)).to.match(/sub\/gone\.ts, which is no file\./);
    expect(reject('file://elsewhere/a.ts')).to.match(/^PERSISTENCE_ADAPTER must be the path/);
  });

  it('is not a file without ./, and the error says how to name that', () => {
    write('bare.ts', '');
    write('sub/bare store.ts', '');
    for (const text of ['bare.ts', 'sub/bare store.ts'])
      expect(reject(text)).to.equal(
        `PERSISTENCE_ADAPTER names a package. To name the file, set it to ./${text}.`,
      );
  });

  it('is rejected in one line that says what to set, and shows no text that may be a secret', () => {
    install('private-store', { exports: { './one': './right.js' } });
    install('broken-store', {});
    write('node_modules/broken-store/package.json', '{');
    for (const text of [
      'absent-store',
      'private-store',
      'private-store/two',
      'broken-store',
      'sk_live_a',
      'a b',
      'node:fs',
    ]) {
      expect(reject(text)).to.match(
        /^PERSISTENCE_ADAPTER must be the path .* begins with \.\/, or a package: .*\.$/,
      );
      expect(reject(text)).to.not.include(text);
    }
    for (const text of ['./absent.ts', './sub', place('absent.ts')]) {
      expect(reject(text)).to.match(
        /^PERSISTENCE_ADAPTER names \/.*, which is no file\. Set the path of a module\.$/,
      );
    }
  });
});
