// Planted faults of hashtags, links, names and search.
import type { Fault } from './fault.ts'

const mentions = 'contract/text/mentions.ts'
const tests = ['contract/text/mentions.test.ts']

export const textFaults: readonly Fault[] = [
  {
    name: 'a hashtag ends at a wave dash',
    file: mentions,
    find: '꙾]+(?:[・･〜～゠',
    replace: '꙾]+(?:[・･゠',
    tests,
    caughtBy: '#トロピカル〜ジュ',
  },
  {
    name: 'search cuts a hashtag at a wave dash, and the text does not',
    file: 'server/rules/search-grams.ts',
    find: '(`#${it.word}`)',
    replace: "(`#${it.word.replace(/[〜～].*/u, '')}`)",
    tests: ['server/rules/search-grams.test.ts'],
    caughtBy: 'find it by their links',
  },
  {
    name: 'an address ends before a kanji',
    file: mentions,
    find: '(?!\\p{sc=Hiragana})[\\p{L}〇]',
    replace: '(?!\\p{L})[\\p{L}〇]',
    tests,
    caughtBy: 'https://ja.wikipedia.org/wiki/東京',
  },
  {
    name: 'search knows one form of kanji alone',
    file: 'contract/text/fold.ts',
    find: 'commonKanji(foldWidths(text)).replace',
    replace: 'foldWidths(text).replace',
    tests: ['contract/text/fold.test.ts'],
    caughtBy: '髙橋',
  },
  {
    name: 'the name of an account with a hyphen for the long vowel mark is refused',
    file: 'contract/rules.ts',
    find: "      .replaceAll(/(?<=[ァ-ヺー])[－‐-―−]/g, 'ー')\n",
    replace: '',
    tests: ['contract/rules.test.ts'],
    caughtBy: 'accepts each good value',
  },
]
