// Folds names of banks and branches for their search.
import { fold } from '#contract/text/fold.ts'

const small = 'ァィゥェォッャュョヮヵヶ'
const large = 'アイウエオツヤユヨワカケ'
const largeOf = (kana: string) => large[small.indexOf(kana)] ?? kana

/** Words that people add and the directory leaves out. */
const endings = {
  bank: /(?:銀行|ギンコウ)$/,
  branch: /(?:支店|シテン)$/,
} as const

/** Long words and the directory's short ones, such as 信用金庫 and 信金; replaced in parts, so that typed beginnings match. */
const shortened = [
  ['信用', '信'],
  ['シンヨウ', 'シン'],
  ['信金庫', '信金'],
  ['シンキンコ', 'シンキン'],
  ['信組合', '信組'],
  ['シンクミアイ', 'シンクミ'],
  ['農業協同組合', '農協'],
  ['ノウギヨウキヨウドウクミアイ', 'ノウキヨウ'],
] as const

/**
 * A name as it is searched: one form for widths, hiragana and katakana, small and large kana, dashes and case, without
 * spaces and without 銀行 or 支店 at its end. Those words alone stay.
 */
export function searchKey(text: string, of: keyof typeof endings): string {
  let key = fold(text)
    .replaceAll(' ', '')
    .replaceAll('-', 'ー')
    .replaceAll(/[ァィゥェォッャュョヮヵヶ]/g, largeOf)
  for (const [long, short] of shortened) key = key.replaceAll(long, short)
  return key.replace(endings[of], '') || key
}
