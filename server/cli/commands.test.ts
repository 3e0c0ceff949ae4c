// Commands of the operator: their output, exit codes, and the audit log broken by hand.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { tamper, writeEntries } from '#server/testing/audit.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { commands, runCommand } from './commands.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function run(...words: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await runCommand(words, { deps: world.deps, print: (line) => void lines.push(line) })
  return { code, lines }
}

describe('audit verify', () => {
  let ids: string[]
  beforeEach(async () => {
    await tamper(world, 'delete from audit_log')
    ids = await writeEntries(world, newId(), 5)
  })

  /** The anchor that a verification printed. */
  const printed = (lines: readonly string[]) => /--anchor (\S+)$/.exec(lines.at(-1) ?? '')?.[1] ?? ''

  test('ends with 0 and prints an anchor, with which the next verification finds a missing end', async () => {
    const first = await run('audit', 'verify')
    expect([first.code, first.lines[0]]).toEqual([0, '監査ログは正しく続いています（5件）。'])
    const anchor = printed(first.lines)
    expect(anchor).toMatch(/^5:[\w-]{43}$/)
    expect((await run('audit', 'verify', '--anchor', anchor)).code).toBe(0)
    await tamper(world, 'delete from audit_log where seq > 3')
    expect((await run('audit', 'verify')).code).toBe(0)
    const cut = await run('audit', 'verify', '--anchor', anchor)
    expect([cut.code, cut.lines[0]]).toEqual([
      1,
      '監査ログが壊れています: 末尾の記録が削除されています（種類 cut、番号 4、ID なし）',
    ])
  })

  test('ends with 1 and names the number, the id and the kind of the first break', async () => {
    await tamper(world, `update audit_log set ip = '' where seq in (3, 4)`)
    expect(await run('audit', 'verify')).toEqual({
      code: 1,
      lines: [
        `監査ログが壊れています: 記録が書き換えられています（種類 changed、番号 3、ID ${ids[2]}）`,
        '正しい記録は番号 2 までです。',
      ],
    })
  })

  test.each([[['--anchor']], [['--anchor', 'x']], [['--other']], [['x']]])(
    'ends with 2 for the parameters %j',
    async (args) => {
      const { code, lines } = await run('audit', 'verify', ...args)
      expect([code, lines[0]]).toEqual([2, expect.stringContaining('audit verify [--anchor')])
    },
  )
})

test('an unknown command ends with 2 and prints every command', async () => {
  for (const words of [[], ['audit'], ['audit', 'toString'], ['toString']]) {
    const { code, lines } = await run(...words)
    expect(code).toBe(2)
    for (const it of Object.values(commands)) expect(lines.join('\n')).toContain(it.usage)
  }
})

test('the command line is a process with the environment of the server', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-cli-'))
  const start = (words: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...words], {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: '', DATA_DIR: folder, SECRET_KEY: 'k'.repeat(32), ...env },
    })
  const right = start(['audit', 'verify'])
  expect([right.status, right.stdout]).toEqual([0, expect.stringContaining('（1件）')])
  const other = start(['audit', 'verify'], { SECRET_KEY: 'o'.repeat(32) })
  expect([other.status, other.stdout]).toEqual([1, expect.stringContaining('種類 changed、番号 1')])
  const wrong = start(['audit', 'verify'], { SECRET_KEY: 'short' })
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('SECRET_KEY')])
  expect(start(['unknown']).status).toBe(2)
  await rm(folder, { recursive: true })
})
