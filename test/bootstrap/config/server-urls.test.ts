import { expect } from 'chai';
import { settingErrorOf } from '../support/settings.ts';

describe('The URL of a database server with a common mistake', () => {
  const mistakes = [
    ['postgres://ada:pa#word@db/shop', /In the user and the password, write %23 for #.*%40 for @\.$/],
    ['postgres://ada:pa/word@db/shop', /write %23 for #/],
    ['postgresql://ada:pa?word@db/shop', /write %23 for #/],
    ['postgres://ada:pa%word@db/shop', /write %23 for #/],
    ['mariadb://ada:pa/word@db/shop', /write %23 for #/],
    ['mariadb://ada:pa%word@db/shop', /write %23 for #/],
    ['postgres://ada:word@db', /Name the database behind the host, as in \/shop\.$/],
    ['postgres://ada:word@db:5432/', /Name the database/],
    ['POSTGRES://ada:word@db?sslmode=require', /Name the database/],
    ['mariadb://ada:word@db/', /Name the database/],
    ['postgres://ada:word@/shop', /Name the host behind the @\.$/],
    ['mariadb://ada:word@/shop?socketPath=/x', /Name the host/],
    ['postgres://ada:word@db:5432,db2:5432/shop', /Name one host: that of the primary\.$/],
    ['jdbc:postgresql://db/shop', /Write postgres:\/\/ in place of jdbc:postgresql:\/\/\.$/],
    ['postgresql+asyncpg://ada:word@db/shop', /Write postgres:\/\/ in place of postgresql\+asyncpg:\/\/\.$/],
    ['postgis://ada:word@db/shop', /Write postgres:\/\/ in place of postgis:\/\/\.$/],
    ['postgres:ada:word@db/shop', /Write postgres:\/\/ in place of postgres:\.$/],
    ['jdbc:mariadb://db/shop', /Write mariadb:\/\/ in place of jdbc:mariadb:\/\/\.$/],
    ['mariadb+pymysql://ada:word@db/shop', /Write mariadb:\/\/ in place of mariadb\+pymysql:\/\/\.$/],
  ] as const;

  it('is rejected in one line that says what to write', () => {
    for (const [url, advice] of mistakes) {
      expect(settingErrorOf({ DATABASE_URL: url }), url)
        .to.match(/^DATABASE_URL must be sqlite:<file>[^\n]+\.$/)
        .and.match(advice)
        .and.not.match(/word@|ada:/);
    }
  });

  it('gets no advice where it was meant for another database', () => {
    for (const url of ['mysql://ada:word@db/shop', 'mongodb://db', 'memory', 'https://db.example']) {
      expect(settingErrorOf({ DATABASE_URL: url })).to.match(/<database>\.$/);
    }
  });

  it('is rejected among replicas that other signs than commas separate', () => {
    const url = 'postgres://db/shop';
    for (const separator of [' ', ';', '\n']) {
      const text = `${url}${separator}${url}`;
      expect(settingErrorOf({ DATABASE_URL: url, DATABASE_REPLICA_URLS: text })).to.match(
        /^DATABASE_REPLICA_URLS must be URLs such as .*, with commas between\.$/,
      );
    }
  });
});
