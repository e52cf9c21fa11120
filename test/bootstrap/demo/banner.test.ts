import { expect } from 'chai';
import { readConfig } from '#bootstrap/config/config.ts';
import { banner } from '#bootstrap/demo/banner.ts';

describe('What a server says of a first key', () => {
  const app = {
    url: 'http://a',
    opsUrl: undefined,
    demoKeys: undefined,
    close: async () => undefined,
    reportUncaught: () => undefined,
  };
  const said = (environment: Readonly<Record<string, string>>) => banner(app, readConfig(environment));

  it('is the command that makes one', () => {
    expect(said({})).to.include('lost one:\n  npm run portico -- keys create --admin\n');
  });

  it('is to name the same database to it, and not what may be secret in its address', () => {
    const text = said({ DATABASE_URL: 'postgres://ada:secret@127.0.0.1/shop' });
    expect(text).to.include('with the same DATABASE_URL:\n  npm run portico -- keys create --admin\n');
    expect(text).to.not.include('secret');
  });

  it('is to choose one where no command reaches the database', () => {
    for (const DATABASE_URL of ['memory:', 'sqlite::memory:']) {
      expect(said({ DATABASE_URL })).to.include('\n  ADMIN_API_KEY=').and.not.include('keys create');
    }
  });

  it('is nothing where the operator has chosen one', () => {
    expect(said({ ADMIN_API_KEY: 'k'.repeat(32) })).to.not.include('API keys');
  });
});
