// @ts-nocheck
/** A field has changed since it was shown. `resource` is how all is now; saving again replaces it. */
export class ChangedMeanwhileError extends Error {
  constructor(message, resource) {
    super(message);
    this.resource = resource;
  }
}
