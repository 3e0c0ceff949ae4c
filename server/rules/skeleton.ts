// Folds letters that look alike, so that lookalike names are equal.

/**
 * Lookalikes of the letters that occur in `reserved-names.ts`. Decision 046 explains why the large confusables table of
 * Unicode (UTS 39) is not needed.
 */
const lookalikes: Readonly<Record<string, string>> = {
  a: 'ɑаαᴀ@4ª',
  c: 'сϲᴄ¢',
  d: 'ԁɗᴅ',
  e: 'еεҽɛᴇ3є℮',
  f: 'ꜰƒ',
  h: 'һнʜ',
  k: 'кκᴋ',
  // One letter for i and l: 1, I, l and | look alike.
  l: 'iіιıɪ1|!ⅼӏʟǀ丨',
  m: 'мᴍ',
  n: 'пηɴո',
  o: 'оοσօᴏ0°〇○',
  p: 'рρᴘ',
  r: 'гʀ',
  s: 'ѕꜱ5$',
  t: 'тτᴛ',
  u: 'υսᴜц',
  v: 'νѵᴠ',
  y: 'уγʏ',
  と: '卜⼘',
  け: 'ゖヶ',
  // Kanji that look like kana; katakana was folded to hiragana before.
  か: '力',
  ろ: '口',
  え: '工',
  に: '二',
  た: '夕',
  営: '營营',
  届: '屆',
  式: '弍',
}

const byLook = new Map(
  Object.entries(lookalikes).flatMap(([letter, alike]) => Array.from(alike, (it) => [it, letter] as const)),
)

/** Letters in boxes and flags, which NFKC leaves as they are: each block has A to Z in order. */
const boxed = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6] as const

function unboxed(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const first = boxed.find((it) => code >= it && code < it + 26)
  return first === undefined ? character : String.fromCharCode(0x61 + code - first)
}

const toHiragana = (it: string) => String.fromCharCode(it.charCodeAt(0) - 0x60)
/** Removes the accents of Latin, Greek and Cyrillic letters. The voiced marks of kana are part of their letter. */
const withoutAccents = (it: string) => it.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')

/** Folds width, case, kana, accents and lookalikes; separators stay. */
function folded(text: string): string {
  const plain = Array.from(text, unboxed)
    .join('')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[ァ-ヶ]/g, toHiragana)
    // The spelling of long vowels varies.
    .replaceAll(/[ー一]/g, '')
    .replaceAll(/[^\p{Script=Hiragana}\p{Script=Han}]+/gu, withoutAccents)
  return Array.from(plain, (it) => byLook.get(it) ?? it)
    .join('')
    .replaceAll('rn', 'm')
}

/**
 * The skeleton of a name: names with the same skeleton are hard to distinguish.
 * @param text a name of bounded length
 * @returns the letters and digits of the folded text, without separators
 */
export function skeletonOf(text: string): string {
  return folded(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The skeletons of a name's words, which spaces, signs and underscores separate. */
export function wordsOf(text: string): string[] {
  const separated = text.normalize('NFKC').split(/[^\p{L}\p{N}\p{M}@$!|]+/u)
  return separated.map(skeletonOf).filter((it) => it !== '')
}
