import { expect } from 'chai';
import { banner } from '#bootstrap/cli/commands/start.ts';
import { readConfig } from '#bootstrap/config/config.ts';

const app = {
  url: 'http://a',
  opsUrl: undefined,
  pagesUrl: undefined,
  providerEventsUrl: undefined,
  demoKeys: undefined,
  close: async () => undefined,
  reportUncaught: () => undefined,
};

describe('The banner about a first API key', () => {
  const text = (environment: Readonly<Record<string, string>>) => banner(app, readConfig(environment));

  it('shows the command that creates one', () => {
    expect(text({})).to.include('To create one:\n  npm run portico -- keys create --admin\n');
  });

  it('names DATABASE_URL for that command, without its password', () => {
    const shown = text({ DATABASE_URL: 'postgres://ada:secret@127.0.0.1/shop' });
    expect(shown).to.include('with the same DATABASE_URL:\n  npm run portico -- keys create --admin\n');
    expect(shown).to.not.include('secret');
  });

  it('shows ADMIN_API_KEY where no command reaches the database', () => {
    for (const DATABASE_URL of ['memory:', 'sqlite::memory:']) {
      expect(text({ DATABASE_URL })).to.include('\n  ADMIN_API_KEY=').and.not.include('keys create');
    }
  });

  it('says nothing where ADMIN_API_KEY is set', () => {
    expect(text({ ADMIN_API_KEY: 'k'.repeat(32) })).to.not.include('API key');
  });
});

describe('The banner', () => {
  const ops = { opsUrl: 'http://ops', pagesUrl: 'http://pages' };
  const shown = (environment: Readonly<Record<string, string>>) =>
    banner({ ...app, ...ops }, readConfig(environment));

  it('says where the admin page is served, the public one first', () => {
    expect(shown({})).to.include('The admin page is at  http://ops/admin\n');
    const pages = { PAGES_PORT: '8080', ADMIN_PAGE: '1' };
    expect(shown(pages)).to.include('The admin page is at  http://pages/admin\n');
    // There the page cannot reach the API.
    expect(shown({ OPS_HOST: '192.168.1.1' })).not.to.include('admin page');
  });
});
