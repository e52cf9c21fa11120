import { expect } from 'chai';
import { environmentProblem } from '#adapters/persistence/postgres/url-parameters.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { certificate } from '../../http/support/certificate.ts';
import { expectInvalid } from '../support/settings.ts';

const onPostgres = { DATABASE_URL: 'postgres://db/shop' };

describe('The parameters of a database URL', () => {
  it('name the parameter of a PostgreSQL URL that is unknown or has no effect, and never its value', () => {
    for (const [parameters, expected] of [
      ['?sslmod=secret', /the parameter sslmod, which has no effect\. .* sslmode, /],
      ['?SSLMODE=verify-full', /the parameter SSLMODE,/],
      ['?sslmode=verify-full&constructor=secret', /the parameter constructor,/],
      ['?__proto__=secret', /the parameter __proto__,/],
      ['?a%0Ab%1b=secret', /the parameter a\?b\?,/],
      ['?hostaddr=secret', /hostaddr/],
      ['?replication=true', /replication/],
      ['?sslcrl=secret', /sslcrl/],
      ['?sslmode=', /the parameter sslmode\. It can be disable, .*verify-full/],
      ['?sslmode', /sslmode/],
      ['?sslmode=verify_full', /sslmode/],
      ['?sslmode=verify-full&sslmode=disable', /the parameter sslmode once/],
      ['?ssl=', /the parameter ssl\. It can be true, 1, 0/],
      ['?ssl=false', /the parameter ssl\./],
      ['?ssl=true&sslmode=disable', /sslmode=disable where it has ssl/],
      ['?sslrootcert=', /the parameter sslrootcert\. It must not be empty/],
      ['?sslnegotiation=secret', /postgres, direct/],
      ['?statement_timeout=5s', /statement_timeout\. It must be a number of milliseconds without a unit/],
      ['?lock_timeout=1min', /lock_timeout\. .*milliseconds/],
      ['?idle_in_transaction_session_timeout=never', /milliseconds/],
      ['?query_timeout=2%20s', /query_timeout\. .*milliseconds/],
      ['?sslmode=disable&sslnegotiation=direct', /sslnegotiation=direct without TLS/],
      [
        '?schema=public',
        /the parameter schema\. Remove it: public is the default\. .*search_path%3D<schema>/,
      ],
      ['?connection_limit=1&currentSchema=public', /the parameter currentSchema\. Remove it: public is/],
      ['?schema=secret', /options=-c%20search_path%3D<schema>/],
      ['?currentSchema=secret', /the parameter currentSchema\. .*search_path/],
      ['?search_path=secret', /the parameter search_path\. .*search_path/],
      ['?channel_binding=require', /channel_binding\. .*verify-full/],
      ['?target_session_attrs=', /target_session_attrs\. .*primary/],
      ['?target_session_attrs=read-write', /target_session_attrs/],
      ['?gssencmode=require', /gssencmode/],
      ['?client_encoding=latin1', /client_encoding/],
      ['#?sslmode=verify-full', /must not contain #\. Write %23/],
      ['?sslmode=verify-full#secret', /must not contain #/],
    ] as const) {
      const url = `postgres://ada:word@db.example/shop${parameters}`;
      const replica = {
        DATABASE_URL: 'postgres://db/shop',
        DATABASE_REPLICA_URLS: `postgres://one/shop,${url}`,
      };
      expectInvalid({ DATABASE_URL: url }, 'DATABASE_URL', expected);
      expectInvalid({ DATABASE_URL: url }, 'DATABASE_URL', /^(?!.*(secret|word@))/);
      expectInvalid(replica, 'DATABASE_REPLICA_URLS', expected);
    }
    const replicas = { ...onPostgres, DATABASE_REPLICA_URLS: 'postgres://u@/shop?host=/tmp' };
    expect(readConfig(replicas).database.replicas).to.deep.equal(['postgres://u@localhost/shop?host=/tmp']);
  });

  it('reject a PGSSLMODE that the driver takes for plain text, unless the URL decides', () => {
    const problem = (parameters: string, PGSSLMODE: string) =>
      environmentProblem(new URLSearchParams(parameters), { PGSSLMODE });
    expect(problem('', 'verify-ful')).to.match(/^must have the parameter sslmode, .*PGSSLMODE/);
    expect(problem('', '')).to.equal(undefined);
    expect(problem('', 'verify-full')).to.equal(undefined);
    expect(problem('sslmode=require', 'verify-ful')).to.equal(undefined);
  });

  it('name the parameter of a MariaDB URL that is unknown or has no effect, and never its value', () => {
    for (const [parameters, expected] of [
      ['?sslmode=secret', /must not have the parameter sslmode: MariaDB takes ssl=true and sslrootcert only/],
      ['?ssl=true&pool=secret', /must not have the parameter pool:/],
      ['?SSL=true', /must not have the parameter SSL: .* Write ssl=true in its place/],
      ['?ssl-mode=REQUIRED', /ssl-mode: .* Write ssl=true in its place/],
      ['?charset=latin1', /must not have the parameter charset:/],
      ['?ssl=secret', /must have ssl=true or no ssl/],
      ['?ssl', /must have ssl=true or no ssl/],
      ['?ssl=true&ssl=false', /must have ssl=true or no ssl/],
      ['?sslrootcert=secret', /must have ssl=true where it has sslrootcert/],
      ['?a%0Ab=secret', /must not have the parameter a\?b:/],
      ['#?ssl=true', /must not contain #\. Write %23/],
      ['?ssl=true&sslrootcert=secret', /must name in sslrootcert a file that can be read/],
    ] as const) {
      const DATABASE_URL = `mariadb://ada:word@db.example/shop${parameters}`;
      expectInvalid({ DATABASE_URL }, 'DATABASE_URL', expected);
      expectInvalid({ DATABASE_URL }, 'DATABASE_URL', /^(?!.*(secret|word))/);
    }
    for (const host of ['127.0.0.1', '[::1]']) {
      const DATABASE_URL = `mariadb://ada:word@${host}/shop?ssl=true`;
      expectInvalid({ DATABASE_URL }, 'DATABASE_URL', /must name the host as its certificate does/);
    }
    const url = `mariadb://db.example/shop?ssl=true&sslrootcert=${certificate.certFile}`;
    expect(readConfig({ DATABASE_URL: url }).database.url).to.equal(url);
  });
});
