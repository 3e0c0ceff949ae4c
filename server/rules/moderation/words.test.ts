// Words of a list in texts: folded spellings, and short words inside longer ones.
import { describe, expect, test } from 'vitest'
import { fold } from '#contract/text/fold.ts'
import { wordIn } from './words.ts'

const has = (text: string, word: string) =>
  wordIn(text, [{ id: '1', word, folded: fold(word) }]) !== undefined

describe('a word of the list is found', () => {
  test.each([
    ['half-width kana', 'これはｽﾊﾟﾑです', 'スパム'],
    ['full width letters and capitals', '格安ＳＰＡＭ!', 'spam'],
    ['hiragana for katakana', 'すぱむ お断り', 'スパム'],
    ['a zero-width space inside', '死\u200bね', '死ね'],
    ['a soft hyphen inside', 'sp\u00adam', 'spam'],
    ['another long vowel mark', 'セ〜ル開催中', 'セール'],
    ['voiced marks as separate signs', 'ハ゛カ', 'バカ'],
    ['kanji inside a longer word', '無修正動画', '修正'],
    ['at both ends of the text', 'バカ', 'バカ'],
    ['a short word of kana before another script', 'バカだなあ', 'バカ'],
    ['a short word of kana after kanji', '本当バカ!', 'バカ'],
    ['letters beside kana', 'これspamです', 'spam'],
    ['letters beside katakana', 'メールspamメール', 'spam'],
    ['a short word of kana beside letters', 'AIバカbot', 'バカ'],
    ['kanji and kana inside a longer word of kana', 'スーパーエロ本コーナー', 'エロ本'],
    ['a voiced mark that an unseen sign separates', 'ク\u200b゛ロ', 'グロ'],
    ['a longer word of kana inside another', 'おおばかもの', 'ばかもの'],
    ['a second occurrence that stands alone', 'スキルがスキ', 'スキ'],
    ['beside an emoji', '😀バカ😀', 'バカ'],
    ['digits alone', '番号は 090 です', '090'],
  ])('with %s', (_, text, word) => {
    expect(has(text, word)).toBe(true)
  })
})

test('a word that an earlier version folded is found', () => {
  const listed = [
    { id: '1', word: '渡邉', folded: '渡邉' },
    { id: '2', word: 'ゔぁか', folded: 'ヴァカ' },
  ]
  const found = ['渡辺さん', '渡邊さん', 'ヴァカ', 'ばか', '渡'].map((it) => wordIn(it, listed)?.id)
  expect(found).toEqual(['1', '1', '2', '2', undefined])
})

describe('a word of the list is not found', () => {
  test.each([
    ['in a longer word of katakana', 'スキルとテキスト', 'スキ'],
    ['at the end of a longer word of katakana', 'テキスト', 'キスト'],
    ['in half-width katakana of a longer word', 'ﾃｷｽﾄ', 'キス'],
    ['in a longer word of hiragana', 'しねまを見た', 'しね'],
    ['in a longer word of letters', 'class and assist', 'ass'],
    ['of more letters in a longer word', 'spammers', 'spam'],
    ['in full-width letters of a longer word', 'ｃｌａｓｓ', 'ass'],
    ['in a longer number', '10905', '090'],
    ['behind a zero-width sign inside a longer word', 'スキ\u200bル', 'スキ'],
    ['where it is absent', 'おはよう', 'バカ'],
  ])('%s', (_, text, word) => {
    expect(has(text, word)).toBe(false)
  })
})

test('a text as long as a post against the longest list ends soon and finds the last word', () => {
  const words = Array.from({ length: 1000 }, (_, i) => ({
    id: `${i}`,
    word: `語${i}番`,
    folded: fold(`語${i}番`),
  }))
  const text = `${'語'.repeat(10_000)}999番`
  expect(wordIn(text, words)?.id).toBe('999')
})
