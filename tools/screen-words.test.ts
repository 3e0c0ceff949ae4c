// Refuses retired Japanese words in the product's texts, by the table of docs/glossary.md.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)

interface Row {
  /** The word to use. */
  readonly word: string
  readonly retired: readonly string[]
  /** Files and folders that may use the retired words. */
  readonly except: readonly string[]
}

interface Quoted {
  readonly sentence: string
  /** The section of the specification that quotes it, or another reason. */
  readonly section: string
}

/** Sentences that may have a retired word. */
const quoted: readonly Quoted[] = [
  { sentence: 'アカウントを削除（退会）したい', section: 'the heading under which help explains both words' },
  { sentence: '退会したユーザー', section: 'the name of an author whose account is deleted' },
]

/** Sentences of the specification, which a text module must contain literally. */
const specified: readonly Quoted[] = [
  { sentence: '1GB以下のファイルを選択してください', section: '5' },
  { sentence: 'not support file', section: '5' },
  { sentence: '※サムネイルの選択は必須です', section: '5' },
  { sentence: '入力必須項目です。', section: '5' },
  { sentence: 'メールアドレスは正しい形式で入力してください', section: '5' },
  { sentence: 'パスワードが条件を満たしていません', section: '5' },
  { sentence: 'エラーが発生しました。再度投稿をお試しください。', section: '8' },
  { sentence: '投稿が完了しました。', section: '8' },
  { sentence: 'cannot show this file', section: '8' },
  { sentence: '404 Page not found', section: '8' },
]

const code = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((it) => it[1] ?? '')

const [, table = ''] = readFileSync(join(root, 'docs/glossary.md'), 'utf8').split('## Words on the screen')

const rows: readonly Row[] = table
  .split('\n')
  .filter((it) => it.startsWith('| ') && !it.startsWith('| 語 '))
  .map((line) => {
    const [, word = '', , retired = '', except = ''] = line.split('|').map((it) => it.trim())
    return { word, retired: code(retired), except: code(except) }
  })

/** Tests, test doubles, demo data and lists of names that a rule compares. */
const NOT_TEXTS = [
  '.test.ts',
  '.sim.ts',
  '.deep.ts',
  '/testing/',
  'server/modules/demo/',
  'server/rules/reserved-names.ts',
  'sw/recovery/',
]

const files = globSync('{contract,device,server,src,sw}/**/*.{ts,tsx}', { cwd: root }).filter(
  (it) => !NOT_TEXTS.some((part) => it.includes(part)),
)

const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line)

/** Lines of `file` with a retired word, each as `file:line word → the word to use`. */
function retiredIn(file: string, source: string): string[] {
  return source.split('\n').flatMap((line, at) => {
    if (isComment(line)) return []
    const text = quoted.reduce((rest, { sentence }) => rest.replaceAll(sentence, ''), line)
    return rows
      .filter(({ except }) => !except.some((it) => file.startsWith(it)))
      .flatMap(({ word, retired }) => {
        // `ブラウザ` is retired and is a part of `ブラウザー`.
        const rest = text.replaceAll(word, '')
        return retired
          .filter((it) => (word.includes(it) ? rest : text).includes(it))
          .map((it) => `${file}:${at + 1} ${it} → ${word}`)
      })
  })
}

const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)

test('no text on the screen, in an email or in a notification has a retired word', () => {
  expect(sources.flatMap(([file, source]) => retiredIn(file, source))).toEqual([])
})

test('sentences that the specification quotes are in the texts as quoted', () => {
  const all = sources.map(([, source]) => source).join('\n')
  expect([...quoted, ...specified].filter(({ sentence }) => !all.includes(sentence))).toEqual([])
})

test('no word of the table is retired by another row', () => {
  const both = rows.flatMap(({ word, except }) =>
    rows
      .filter((it) => it.word !== word && it.except.length === 0 && except.length === 0)
      .flatMap(({ retired }) => retired.filter((it) => word.includes(it)).map((it) => `${it} in ${word}`)),
  )
  expect(both.filter((it) => !it.endsWith('退会したユーザー'))).toEqual([])
})

test.each([
  ["  report: '報告する',", '報告する → 通報する'],
  ["  hint: 'お使いのブラウザで開いてください。',", 'ブラウザ → ブラウザー'],
  ["  title: '本人確認の提出',", '本人確認の提出 → 本人確認'],
  ['  lead: `${name}さんのフォローを外しますか`,', 'フォローを外 → フォローを解除'],
])('the retired word in %s is refused', (line, refusal) => {
  expect(retiredIn('src/features/planted/text.ts', line)).toEqual([
    `src/features/planted/text.ts:1 ${refusal}`,
  ])
})

test.each([
  ["  lead: 'お使いのブラウザーで開いてください。',", 'src/features/planted/text.ts'],
  ["  leave: '退会したユーザー',", 'src/features/planted/text.ts'],
  ["  rejected: '差し戻し',", 'src/features/administration/text.ts'],
  ['  // 報告する was retired.', 'src/features/planted/text.ts'],
])('%s is allowed', (line, file) => {
  expect(retiredIn(file, line)).toEqual([])
})
