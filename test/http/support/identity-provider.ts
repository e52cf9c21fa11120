import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { newId } from '../../support/machine.ts';

interface Key extends GenerateKeyPairResult {
  readonly kid: string;
  readonly alg: string;
}

/** A local identity provider with its own signing keys. */
export class IdentityProvider {
  readonly issuer = 'https://id.example/realms/shop';
  readonly audience = 'portico';
  #server: Server | undefined;
  #port = 0;
  #keys: Key[] = [];
  /** How often its key set was requested. */
  asked = 0;
  /** Whether it accepts connections and never responds. */
  isSilent = false;
  /** Whether its keys have a `kid`. */
  hasNames = true;

  get keysUrl(): string {
    return `http://127.0.0.1:${this.#port}/keys`;
  }

  /** Starts it, or restarts it at the same address. */
  async start(): Promise<void> {
    if (this.#keys.length === 0) await this.rotate();
    this.#server = createServer(async (_, response) => {
      this.asked += 1;
      if (this.isSilent) return;
      const keys = await Promise.all(
        this.#keys.map(async ({ publicKey, kid, alg }) => ({
          ...(await exportJWK(publicKey)),
          ...(this.hasNames && { kid }),
          alg,
        })),
      );
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys }));
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  /** Rotates to a new signing key. @param others keys that stay in the key set */
  async rotate(alg = 'RS256', others: readonly Key[] = []): Promise<void> {
    const pair = await generateKeyPair(alg, { extractable: true });
    this.#keys = [{ ...pair, alg, kid: `${alg}-${newId()}` }, ...others];
  }

  get key(): Key {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('The identity provider is not started.');
    return key;
  }

  /** Issues a token. Undefined claims are omitted. */
  token(claims: JWTPayload, header: object = {}, key: Key = this.key): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const whole = { iss: this.issuer, aud: this.audience, iat: now, exp: now + 300, ...claims };
    return new SignJWT(whole)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.privateKey);
  }

  /** Signs with the RS256 key a token that no library would sign. */
  async signed(header: object, claims: object): Promise<string> {
    const text = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const algorithm = 'RSASSA-PKCS1-v1_5';
    const signature = await crypto.subtle.sign(algorithm, this.key.privateKey, Buffer.from(text));
    return `${text}.${Buffer.from(signature).toString('base64url')}`;
  }
}
