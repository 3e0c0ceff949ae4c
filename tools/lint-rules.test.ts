// Tests the house rules by running the linter on planted violations.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borders, domains, services } from './lint/borders.ts'
import { expressions } from './planted/expressions.ts'
import { domainImports, serviceImports } from './planted/layer-imports.ts'
import { lengths } from './planted/lengths.ts'
import { providerWords } from './planted/provider-words.ts'
import { pageImports } from './planted/page-imports.ts'
import { serverImports } from './planted/server-imports.ts'
import { sharedImports } from './planted/shared-imports.ts'
import { stories } from './planted/stories.ts'
import { testing } from './planted/testing.ts'
import { texts } from './planted/texts.ts'
import { unitsOfWork } from './planted/units-of-work.ts'
import { words } from './planted/words.ts'

const root = dirname(import.meta.dirname)
const imports = [
  ...sharedImports,
  ...pageImports,
  ...domainImports(domains),
  ...serverImports,
  ...serviceImports(services),
]
const plantedTexts = [
  ...texts,
  ...unitsOfWork,
  ...words,
  ...providerWords,
  ...expressions,
  ...lengths,
  ...testing,
  ...stories,
]

/** Every form of an import, of which each must be detected. `n` makes names distinct. */
const forms = [
  (it: string, n: number) => `import { a as a${n} } from '${it}'\nexport const b${n} = a${n}`,
  (it: string, n: number) => `import type { A as A${n} } from '${it}'\nexport type B${n} = A${n}`,
  (it: string, n: number) => `export { a as c${n} } from '${it}'`,
  (it: string, n: number) => `export * as d${n} from '${it}'`,
  (it: string) => `export * from '${it}'`,
  (it: string, n: number) => `export const load${n} = () => import('${it}')`,
  (it: string, n: number) => `export type E${n} = import('${it}').A`,
]

let tree = ''
let reported = new Map<string, string[]>()

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true })
  writeFileSync(join(tree, file), `// Planted.\n${text}\n`)
}

async function lint(): Promise<Map<string, string[]>> {
  const bin = fileURLToPath(import.meta.resolve('oxlint')).replace(/dist.index\.js$/, join('bin', 'oxlint'))
  const out = await new Promise<string>((done) => {
    execFile(
      process.execPath,
      [bin, '--type-aware', '-f', 'json'],
      { cwd: tree, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, LINT: 'whole' } },
      (_, stdout) => done(stdout),
    )
  })
  const { diagnostics } = JSON.parse(out) as {
    diagnostics: { code: string; message: string; filename: string }[]
  }
  const all = new Map<string, string[]>()
  for (const { filename, code, message } of diagnostics)
    all.set(filename, [...(all.get(filename) ?? []), `${code} ${message}`])
  return all
}

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), 'todoke-lint-'))
  for (const it of ['oxlint.config.ts', 'package.json', 'tsconfig.json'])
    cpSync(join(root, it), join(tree, it))
  cpSync(join(root, 'tools/lint'), join(tree, 'tools/lint'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  // The pattern `node_modules/` does not match a symbolic link.
  writeFileSync(join(tree, '.gitignore'), 'node_modules\n')
  const tsconfig = JSON.stringify({ extends: '../../tsconfig.json', include: ['.'] })
  mkdirSync(join(tree, 'src/lib'), { recursive: true })
  writeFileSync(join(tree, 'src/lib/tsconfig.json'), tsconfig)
  for (const [, file, may, mayNot] of imports)
    plant(file, [...may, ...mayNot].flatMap((it, n) => forms.map((form) => form(it, n))).join('\n'))
  for (const [, file, text] of plantedTexts) plant(file, text)
  writeFileSync(join(tree, 'src/lib/silent.ts'), 'export const a = 1\n')
  for (const [name, count] of [
    ['wordy', 16],
    ['brief', 15],
  ] as const) {
    // The sentence has two lines, and what follows it is not counted.
    const comment = `// ${'word '.repeat(10)}\n// ${'word '.repeat(count - 11)}end. A second sentence.`
    writeFileSync(join(tree, `src/lib/${name}.ts`), `${comment}\nexport const ${name} = 1\n`)
  }
  reported = await lint()
  // It ends what hangs; on a busy machine the types of all planted files take minutes.
}, 600_000)

afterAll(() => rmSync(tree, { recursive: true, force: true }))

test('every row of the table has planted violations', () => {
  expect(new Set(imports.map(([row]) => row))).toEqual(new Set(borders.map((it) => it.from)))
})

/** The imports of a planted file that are refused by its row, and how often. */
const refusalsOf = (row: string, file: string, specifier: string): number =>
  (reported.get(file) ?? []).filter((it) => it === `house(imports) ${row} may not import ${specifier}`).length

test('no file of a row is refused what the row allows', () => {
  const refused = imports.flatMap(([row, file, may]) =>
    may.filter((it) => refusalsOf(row, file, it) > 0).map((it) => `${file} may import ${it}`),
  )
  expect(refused).toEqual([])
})

test('each form of each import that a row does not allow is reported', () => {
  const missed = imports.flatMap(([row, file, , mayNot]) =>
    mayNot.flatMap((it) => {
      const found = refusalsOf(row, file, it)
      return found === forms.length
        ? []
        : [`${file} may not import ${it}: ${found} of ${forms.length} forms reported`]
    }),
  )
  expect(missed).toEqual([])
})

for (const [rule, rows] of Map.groupBy(plantedTexts, ([name]) => name))
  test(`${rule} reports its planted violations, and nothing else of their kind`, () => {
    const wrong = rows
      .filter(([, file, , isReported]) => {
        const found = (reported.get(file) ?? []).some((it) => it.startsWith(rule))
        return found !== isReported
      })
      .map(([, file, text, isReported]) => `${isReported ? 'not reported' : 'reported'}: ${file}: ${text}`)
    expect(wrong).toEqual([])
  })

test('a file without a comment about its purpose is reported', () => {
  expect(reported.get('src/lib/silent.ts')?.join()).toContain('house(purpose)')
})

test('a file whose first sentence has more than 15 words is reported', () => {
  expect(reported.get('src/lib/wordy.ts')?.join()).toContain('house(purpose) the first sentence has 16 words')
  expect(reported.get('src/lib/brief.ts')).toBeUndefined()
})
