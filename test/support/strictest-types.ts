/**
 * The flags of the compiler that a reader may have set: all that `tsc --init` of today writes, also those that it only offers.
 * Samples of the docs compile with them. Without `noUnusedLocals`, because a sample ends where the reader goes on.
 */
export const strictestTypes = [
  'strict',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'noImplicitReturns',
  'noImplicitOverride',
  'noUnusedParameters',
  'noFallthroughCasesInSwitch',
  'noPropertyAccessFromIndexSignature',
  'verbatimModuleSyntax',
  'isolatedModules',
  'erasableSyntaxOnly',
  'noUncheckedSideEffectImports',
].flatMap((flag) => [`--${flag}`, 'true']);
