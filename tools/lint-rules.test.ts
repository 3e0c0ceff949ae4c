// Plants violations of the house's rules in a temporary tree and asks the real linter what it says of each.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borders } from './lint/borders.ts'

const root = dirname(import.meta.dirname)

/** Row of the table, importing file, then what it may and what it may not import. */
const imports: [row: string, file: string, may: string[], mayNot: string[]][] = [
  [
    'contract',
    'contract/posts.ts',
    ['./ids.ts', '#contract/ids.ts', 'valibot'],
    [
      '#device/drafts.ts',
      '#server/app.ts',
      '#src/lib/api.ts',
      'node:fs',
      'react',
      'valibot-extra',
      '../device/a.ts',
    ],
  ],
  [
    'device',
    'device/drafts.ts',
    ['./schema.ts', '#contract/ids.ts', 'idb'],
    ['#sw/upload/drain.ts', '#src/lib/api.ts', '#server/app.ts', 'react', 'node:fs', '../contract/ids.ts'],
  ],
  [
    'sw',
    'sw/upload/tus.ts',
    ['./ports.ts', '#sw/windows.ts', '#device/jobs.ts', '#contract/ids.ts', 'tus-js-client'],
    ['#src/lib/api.ts', '#server/app.ts', 'node:fs', '../windows.ts'],
  ],
  [
    'sw/sim',
    'sw/sim/server.ts',
    ['./network.ts', '#sw/upload/drain.ts', '#device/jobs.ts', '#contract/ids.ts', 'node:crypto'],
    ['#src/lib/api.ts', '#server/app.ts', '../upload/drain.ts'],
  ],
  [
    'src/ui',
    'src/ui/button.tsx',
    ['./icon.tsx', '#src/ui/icon.tsx', '@base-ui/react/button', 'react'],
    [
      '#src/lib/text.ts',
      '#src/features/posts/card.tsx',
      '#contract/posts.ts',
      '#device/drafts.ts',
      'node:fs',
    ],
  ],
  [
    'src/lib',
    'src/lib/api.ts',
    ['./text.ts', '#contract/posts.ts', '#device/session.ts', '@tanstack/react-query'],
    ['#src/ui/button.tsx', '#src/sw-bridge.ts', '#sw/upload/drain.ts', '#server/app.ts'],
  ],
  [
    'src/features/x',
    'src/features/posts/card.tsx',
    [
      './gate.tsx',
      '#src/lib/api.ts',
      '#src/ui/button.tsx',
      '#device/drafts.ts',
      '#contract/posts.ts',
      'react',
    ],
    [
      '#src/features/profiles/head.tsx',
      '#src/features/posts/gate.tsx',
      '#src/routes/index.tsx',
      '#sw/upload/drain.ts',
      '#server/app.ts',
      '../profiles/head.tsx',
    ],
  ],
  [
    'src/features/x',
    'src/features/not-made-yet/screen.tsx',
    ['./query.ts'],
    ['#src/features/posts/card.tsx', '../posts/card.tsx'],
  ],
  [
    'src/routes',
    'src/routes/post.$id.tsx',
    ['#src/features/posts/card.tsx', '#src/lib/query.ts', '#src/ui/button.tsx', '#src/sw-bridge.ts'],
    ['#device/drafts.ts', '#sw/upload/drain.ts', '#server/app.ts'],
  ],
  [
    'src/sw-bridge',
    'src/sw-bridge.ts',
    ['#sw/upload/drain.ts', '#device/jobs.ts', '#src/lib/api.ts'],
    ['#src/features/posts/card.tsx', '#server/app.ts'],
  ],
  [
    'src',
    'src/router.ts',
    ['./route-tree.ts', '#src/routes/index.tsx', '#src/lib/query.ts', '#device/session.ts'],
    ['#sw/upload/drain.ts', '#server/app.ts', 'node:fs'],
  ],
  [
    'server/rules',
    'server/rules/post-access.ts',
    ['./age.ts', '#server/rules/age.ts', '#contract/posts.ts'],
    [
      'node:crypto',
      'drizzle-orm',
      'valibot',
      '#server/store/posts.ts',
      '#server/views/post-view.ts',
      '#server/deps.ts',
      '../store/posts.ts',
    ],
  ],
  [
    'server/store',
    'server/store/posts.ts',
    ['./schema.ts', '#contract/posts.ts', 'drizzle-orm', 'drizzle-orm/pg-core', 'pg'],
    [
      '#server/http/route.ts',
      '#server/rules/age.ts',
      '#server/modules/posts/routes.ts',
      'fastify',
      'pg-extra',
    ],
  ],
  [
    'server/adapters',
    'server/adapters/mail.ts',
    ['./clock.ts', '#contract/ids.ts', 'sharp', 'node:fs'],
    [
      '#server/store/posts.ts',
      '#server/http/route.ts',
      '#server/modules/posts/routes.ts',
      '#src/lib/text.ts',
    ],
  ],
  [
    'server/http',
    'server/http/route.ts',
    [
      './errors.ts',
      '#server/store/sessions.ts',
      '#server/adapters/clock.ts',
      '#contract/endpoint.ts',
      'fastify',
    ],
    ['#server/modules/posts/routes.ts', '#server/rules/age.ts', '#src/lib/text.ts'],
  ],
  [
    'server/views',
    'server/views/post-view.ts',
    ['./person-view.ts', '#server/store/posts.ts', '#server/rules/age.ts', '#contract/posts.ts', 'valibot'],
    ['#server/modules/posts/flow.ts', '#server/http/route.ts', '#server/deps.ts', 'fastify', 'node:fs'],
  ],
  [
    'server/modules/x',
    'server/modules/posts/routes.ts',
    [
      './flow.ts',
      '#server/http/route.ts',
      '#server/rules/age.ts',
      '#server/store/posts.ts',
      '#server/deps.ts',
    ],
    ['#server/modules/uploads/routes.ts', '#server/app.ts', '#src/lib/text.ts', '../uploads/routes.ts'],
  ],
  [
    'server/modules/x',
    'server/modules/not-made-yet/routes.ts',
    ['#server/http/route.ts'],
    ['#server/modules/posts/flow.ts', '../posts/flow.ts'],
  ],
  [
    'server/testing',
    'server/testing/world.ts',
    ['#server/app.ts', '#contract/ids.ts', 'node:fs'],
    ['#src/lib/api.ts', '../app.ts'],
  ],
  [
    'server',
    'server/app.ts',
    ['./deps.ts', '#server/modules/posts/routes.ts', '#contract/api.ts', 'fastify'],
    ['#src/lib/api.ts', '#sw/upload/drain.ts', '#device/jobs.ts'],
  ],
  [
    'bench',
    'bench/town.ts',
    ['./load.ts', '#server/rules/search-grams.ts', '#contract/paths.ts', 'node:fs'],
    ['#server/app.ts', '#src/lib/api.ts', '#device/jobs.ts'],
  ],
  [
    'tools',
    'e2e/story.spec.ts',
    ['./rig/server.ts', '#contract/paths.ts', '@playwright/test', 'node:fs'],
    ['#server/app.ts', '#src/lib/api.ts', '../server/app.ts'],
  ],
  ['config', 'vitest.config.ts', ['vitest/config', 'node:fs'], ['#server/app.ts', '#contract/ids.ts']],
]

/** Other rules: a file, its text, and whether the rule speaks. */
const others: [rule: string, file: string, text: string, speaks: boolean][] = [
  ['house(no-clock)', 'server/rules/clock-a.ts', 'export const at = new Date()', true],
  ['house(no-clock)', 'server/rules/clock-b.ts', 'export const at = (ms: number) => new Date(ms)', false],
  ['eslint(no-restricted-properties)', 'server/rules/clock-c.ts', 'export const at = Date.now()', true],
  [
    'eslint(no-restricted-properties)',
    'server/modules/posts/clock.ts',
    'export const at = Date.now()',
    false,
  ],
  ['eslint(no-restricted-globals)', 'server/rules/clock-d.ts', 'export const at = performance.now()', true],
  ['eslint(no-restricted-globals)', 'sw/cache.ts', 'export const here = () => self.location', true],
  ['eslint(no-restricted-globals)', 'sw/push.ts', 'export const all = () => clients.matchAll()', true],
  ['eslint(no-restricted-globals)', 'sw/main.ts', 'export const here = () => self.location', false],
  ['import(no-default-export)', 'src/lib/one.ts', 'export default 1', true],
  ['import(no-default-export)', 'some.config.ts', 'export default 1', false],
  ['house(extensions)', 'src/lib/bare.ts', "export { a } from './text'", true],
  ['house(extensions)', 'src/lib/full.ts', "export { a } from './text.ts'", false],
  ['import(no-cycle)', 'src/lib/egg.ts', "export { hen } from './hen.ts'\nexport const egg = 1", true],
  ['import(no-cycle)', 'src/lib/hen.ts', "export { egg } from '#src/lib/egg.ts'\nexport const hen = 1", true],
  ['import(no-cycle)', 'src/lib/fox.ts', "export { hen } from './hen.ts'", false],
  [
    'typescript(no-floating-promises)',
    'src/lib/float.ts',
    'export const go = () => { Promise.resolve(1) }',
    true,
  ],
  [
    'typescript(no-floating-promises)',
    'src/lib/held.ts',
    'export const go = () => { void Promise.resolve(1) }',
    false,
  ],
  ['typescript(no-explicit-any)', 'src/lib/any.ts', 'export const it: any = 1', true],
]

/** Every form of an import; each must be seen. `n` keeps names apart. */
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
let said = new Map<string, string[]>()

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
      { cwd: tree, maxBuffer: 64 * 1024 * 1024 },
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
  // A linked folder is not a folder to `node_modules/`.
  writeFileSync(join(tree, '.gitignore'), 'node_modules\n')
  const tsconfig = JSON.stringify({ extends: '../../tsconfig.json', include: ['.'] })
  mkdirSync(join(tree, 'src/lib'), { recursive: true })
  writeFileSync(join(tree, 'src/lib/tsconfig.json'), tsconfig)
  for (const [, file, may, mayNot] of imports)
    plant(file, [...may, ...mayNot].flatMap((it, n) => forms.map((form) => form(it, n))).join('\n'))
  for (const [, file, text] of others) plant(file, text)
  writeFileSync(join(tree, 'src/lib/silent.ts'), 'export const a = 1\n')
  said = await lint()
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

test('every row of the table has planted violations', () => {
  expect(new Set(imports.map(([row]) => row))).toEqual(new Set(borders.map((it) => it.from)))
})

for (const [row, file, may, mayNot] of imports) {
  const refusals = (specifiers: string[]): string[] =>
    (said.get(file) ?? []).filter((it) =>
      specifiers.some((specifier) => it === `house(imports) ${row} may not import ${specifier}`),
    )
  test(`${file} may import ${may.join(', ')}`, () => {
    expect(refusals(may)).toEqual([])
  })
  test(`${file} may not import ${mayNot.join(', ')}`, () => {
    for (const it of mayNot) expect([it, refusals([it]).length]).toEqual([it, forms.length])
  })
}

for (const [rule, file, text, speaks] of others)
  test(`${rule} ${speaks ? 'speaks' : 'is silent'}: ${file}: ${text.split('\n')[0]}`, () => {
    expect((said.get(file) ?? []).some((it) => it.startsWith(rule))).toBe(speaks)
  })

test('a file that does not say what it is for is told so', () => {
  expect(said.get('src/lib/silent.ts')?.join()).toContain('house(purpose)')
})
