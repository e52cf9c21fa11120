/** Names of neighbouring characters, in the order of their code points (HTML Living Standard, section 13.5). */
const named = (first: number, names: string): [string, string][] =>
  names.split(' ').map((name, index) => [name, String.fromCodePoint(first + index)]);

/** Those of HTML 4, and the letters of languages of Europe that came later. Names that are missing here stay in the text. */
const entities: ReadonlyMap<string, string> = new Map([
  ...named(
    160,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
      'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
      'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
      'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
      'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
      'thorn yuml Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dcaron dcaron ' +
      'Dstrok dstrok Emacr emacr',
  ),
  ...named(278, 'Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve Gdot gdot Gcedil'),
  ...named(292, 'Hcirc hcirc Hstrok hstrok Itilde itilde Imacr imacr'),
  ...named(302, 'Iogon iogon Idot imath IJlig ijlig Jcirc jcirc Kcedil kcedil'),
  ...named(313, 'Lacute lacute Lcedil lcedil Lcaron lcaron'),
  ...named(321, 'Lstrok lstrok Nacute nacute Ncedil ncedil Ncaron ncaron'),
  ...named(330, 'ENG eng Omacr omacr'),
  ...named(
    336,
    'Odblac odblac OElig oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc',
  ),
  ...named(
    350,
    'Scedil scedil Scaron scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr umacr',
  ),
  ...named(364, 'Ubreve ubreve Uring uring Udblac udblac Uogon uogon Wcirc wcirc Ycirc ycirc Yuml'),
  ...named(377, 'Zacute zacute Zdot zdot Zcaron zcaron'),
  ...named(913, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'),
  ...named(931, 'Sigma Tau Upsilon Phi Chi Psi Omega'),
  ...named(945, 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho'),
  ...named(962, 'sigmaf sigma tau upsilon phi chi psi omega'),
  ...named(8203, 'ZeroWidthSpace zwnj zwj lrm rlm hyphen'),
  ...named(8211, 'ndash mdash'),
  ...named(8216, 'lsquo rsquo sbquo'),
  ...named(8220, 'ldquo rdquo bdquo'),
  ...named(8224, 'dagger Dagger bull'),
  ...named(8242, 'prime Prime'),
  ...named(8592, 'larr uarr rarr darr harr'),
  ...Object.entries({
    ...{ quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", num: '#', fnof: 'ƒ', circ: 'ˆ', tilde: '˜' },
    ...{ inodot: 'ı', ensp: ' ', emsp: ' ', thinsp: ' ', hellip: '…', permil: '‰', lsaquo: '‹', rsaquo: '›' },
    ...{
      oline: '‾',
      frasl: '⁄',
      NoBreak: '\u2060',
      euro: '€',
      trade: '™',
      minus: '−',
      radic: '√',
      infin: '∞',
    },
    ...{ asymp: '≈', ne: '≠', le: '≤', ge: '≥', hearts: '♥', star: '☆', starf: '★', check: '✓' },
  }),
]);

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][\da-z]*));/gi;

const character = (codePoint: number): string =>
  codePoint > 0x10_ffff ? ' ' : String.fromCodePoint(codePoint);

/**
 * The text of a description that may be HTML, for searches. Each tag divides words: `<` before a letter or `/`, up to `>`. Entities
 * become their characters. A `<` that begins no tag, or one that is not closed before the next, stays: a plain text loses nothing.
 */
export const textOfHtml = (html: string): string =>
  html.replaceAll(/<[a-z/][^<>]*>/gi, '\n').replaceAll(reference, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities.get(name) ?? whole;
    return character(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
  });
