import { expect } from 'chai';
import { WebhookSecret } from '#domain/webhooks/secret.ts';

describe('The secret of a webhook endpoint', () => {
  it('is whsec_ and base64, and its hint shows four letters of it', () => {
    const secret = WebhookSecret.of('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+CPa1nZfEXc=');
    expect(secret).to.equal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+CPa1nZfEXc=');
    expect(WebhookSecret.base64Of(secret)).to.equal('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+CPa1nZfEXc=');
    expect(WebhookSecret.hintOf(secret)).to.equal('whsec_MfKQ…');
  });
});
