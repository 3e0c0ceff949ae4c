// Converts letters, digits and kana between full width and half width.

/** Full-width letters, digits and signs (U+FF01–FF5E) and the full-width space, as their half-width forms. */
export function halfWidth(text: string): string {
  return text
    .replaceAll(/[！-～]/g, (it) => String.fromCodePoint((it.codePointAt(0) ?? 0) - 0xfee0))
    .replaceAll('　', ' ')
}

/**
 * Half-width katakana, letters, digits and signs as their full-width forms; a voiced mark joins its letter.
 * Nothing else changes: hiragana and kanji stay what they are.
 */
export function fullWidth(text: string): string {
  return text
    .replaceAll(/[｡-ﾟ]+/g, (it) => it.normalize('NFKC'))
    .normalize('NFC')
    .replaceAll(/[!-~]/g, (it) => String.fromCodePoint((it.codePointAt(0) ?? 0) + 0xfee0))
    .replaceAll(' ', '　')
}
