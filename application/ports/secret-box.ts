/** What a secret belongs to. A secret that is stored elsewhere cannot be opened there. */
export interface SecretPlace {
  /** The id of the resource, such as that of a webhook endpoint. */
  readonly ownerId: string;
  readonly secretId: string;
}

/**
 * Encrypts secrets before they are stored, so that a database, a backup or a dump alone discloses none.
 *
 * - What is sealed can be opened with the same place only, and for as long as its key is known.
 * - Each sealed text is different, also of one secret at one place.
 * - A text that was changed is not opened.
 */
export interface SecretBox {
  /** What the operator must set before a secret can be sealed, as a message for the client; undefined when it can be. */
  readonly problem: string | undefined;

  /** @throws ApplicationError 'unavailable' when there is a problem, or the key cannot be kept */
  seal(secret: string, place: SecretPlace): Promise<string>;

  /** @throws ApplicationError 'unavailable' when no known key opens the text at this place */
  open(sealed: string, place: SecretPlace): Promise<string>;

  /**
   * Seals a secret with the current key instead of an older one.
   * @returns undefined when the current key has sealed it
   * @throws ApplicationError 'unavailable' as `open` and `seal` do
   */
  reseal(sealed: string, place: SecretPlace): Promise<string | undefined>;
}
