// Folds names to the characters that transfer files allow.
import { fullWidth, halfWidth } from '#contract/text/width.ts'

export type FoldedKana =
  | { readonly is: 'folded'; readonly text: string }
  /** `character`: the first that a transfer file has no form for; '' for a name without characters. */
  | { readonly is: 'refused'; readonly character: string }

/** Katakana and their half-width forms. Small ones become large; ヲ becomes ｵ, since many banks refuse ｦ. */
const full =
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンァィゥェォッャュョヮヵヶヲヰヱ'
const half = 'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝｱｲｳｴｵﾂﾔﾕﾖﾜｶｹｵｲｴ'
const halfOf = new Map(Array.from(full, (kana, index) => [kana, half[index] ?? '']))

/** Kana of which each has a form with a voiced mark, and those with a semi-voiced mark. */
const VOICED = /^[ｳｶ-ﾄﾊ-ﾎ]$/
const SEMI_VOICED = /^[ﾊ-ﾎ]$/
const [VOICED_MARK, SEMI_VOICED_MARK] = ['\u3099', '\u309a']
/** The long vowel mark, and the dashes that names of branches have in its place. */
const DASHES = /^[ー－‐−]$/

/** Every character of a transfer file's names; each is one byte in Shift_JIS. */
export const TRANSFER_TEXT = /^[ｱ-ﾝﾞﾟA-Z0-9().\- ]*$/

/**
 * Folds a name by the accountNameCard rule, or that of a bank or branch: half-width kana with separate marks, large kana,
 * capital letters, `-` for the long vowel mark. Folding a folded name changes nothing.
 * @param name of any length
 */
export function foldTransferKana(name: string): FoldedKana {
  let text = ''
  for (const character of fullWidth(name.trim())) {
    const folded = foldCharacter(character)
    if (folded === undefined) return { is: 'refused', character }
    text += folded
  }
  return text === '' ? { is: 'refused', character: '' } : { is: 'folded', text }
}

function foldCharacter(character: string): string | undefined {
  if (DASHES.test(character)) return '-'
  const [kana = '', mark] = character.normalize('NFD')
  const base = halfOf.get(kana)
  if (base === undefined) {
    const sign = halfWidth(character).toUpperCase()
    return /^[A-Z0-9(). ]$/.test(sign) ? sign : undefined
  }
  if (mark === undefined) return base
  if (mark === VOICED_MARK && VOICED.test(base)) return `${base}ﾞ`
  return mark === SEMI_VOICED_MARK && SEMI_VOICED.test(base) ? `${base}ﾟ` : undefined
}

/**
 * The beginning of a folded name that fits. A kana whose mark does not fit is left out with it.
 * @param text as `foldTransferKana` made it, so that each character is one byte
 * @param bytes most bytes
 */
export function cutTransferKana(text: string, bytes: number): string {
  const cut = /^[ﾞﾟ]/.test(text.slice(bytes)) ? bytes - 1 : bytes
  return text.slice(0, cut)
}
