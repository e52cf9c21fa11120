import { expect } from 'chai';
import { connectSources, type ProviderLogin } from '#adapters/ops/admin/login.ts';
import { adminPage } from '#adapters/ops/admin/page.ts';

const login: ProviderLogin = {
  issuer: 'https://id.example/"><script>',
  audience: 'a&quot;b',
  userClaim: 'sub',
  clientId: "'><b>",
  scope: 'openid',
  endpoints: {
    authorization: 'https://id.example/authorize',
    token: "https://id.example/a;script-src 'unsafe-inline',b/token?tenant=1",
    endSession: undefined,
    revocation: undefined,
    namesItself: false,
  },
};

describe('The page with a login', () => {
  it('has its settings in an attribute that no value can leave', () => {
    const page = adminPage({ canSend: true, hasKeys: false, login, release: 'release', modules: [] });
    const [, attribute = ''] = /<body data-login="([^"]*)">/.exec(page) ?? [];
    expect(attribute).not.to.match(/</);
    const text = attribute.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect(JSON.parse(text)).to.deep.equal({
      ...login,
      endpoints: JSON.parse(JSON.stringify(login.endpoints)),
    });
  });

  it('can reach its token endpoint by one source, whatever signs its address has', () => {
    expect(connectSources(login)).to.deep.equal([
      "https://id.example/a%3Bscript-src%20'unsafe-inline'%2Cb/token",
    ]);
    expect(connectSources({ ...login, endpoints: undefined })).to.deep.equal([]);
    expect(connectSources(undefined)).to.deep.equal([]);
  });
});
