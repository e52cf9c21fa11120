import type { RetriedRequest } from '../../lab/clients/retried-request.ts';
import type { Token } from '../../lab/clients/shop.ts';

/** With it begins the mark of each person, and so each of their texts. */
export const markOfAll = 'wolpertinger-';

/** The mark of a person. None is the beginning of another. */
export const markOf = (name: string): string => `${markOfAll}${name}-x`;

/** A customer whose personal data are erased. Each of their texts contains their mark. */
export class Person {
  readonly mark: string;
  /** Empty until they have an account. */
  id = '';
  token: Token = '';
  /**
   * True from the first request to erase them on. An erasure removes their key and the stored responses about them, so that a retry
   * may get another response.
   */
  isForgotten = false;
  /** A request of theirs after the erasure, which must be rejected. Undefined until a client knows of the erasure. */
  late: RetriedRequest | undefined;
  #externalIds = 0;

  constructor(mark: string) {
    this.mark = mark;
  }

  get metadata(): Readonly<Record<string, string>> {
    return { remark: `${this.mark} likes tea` };
  }

  get address(): Readonly<Record<string, string>> {
    const { mark } = this;
    return {
      ...{ name: mark, company: `${mark} & sons`, line1: `${mark} street`, line2: `${mark} floor` },
      ...{ postal_code: '1010', city: `${mark} city`, region: mark, country: 'AT' },
    };
  }

  /** Another one each time, because no two orders may have the same. */
  nextExternalId(): string {
    this.#externalIds += 1;
    return `${this.mark}-${this.#externalIds}`;
  }
}
