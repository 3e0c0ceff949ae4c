// Commands of the operator: their output, exit codes, and the audit log broken by hand.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confirmRegistration, register } from '#contract/accounts/registration.ts'
import { API_BASE } from '#contract/paths.ts'
import { newId } from '#contract/ids.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { defined } from '#contract/testing/defined.ts'
import { loadVapid } from '#server/adapters/push/vapid.ts'
import { signUp } from '#server/testing/people/members.ts'
import { tamper, writeEntries } from '#server/testing/audit.ts'
import { compiledEnv, fastStart } from '#server/testing/process.ts'
import { fillDataFolder } from '#server/testing/template.ts'
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
  const printed = (lines: readonly string[]) => /--anchor (\S+)$/.exec(defined(lines.at(-1)))?.[1] ?? ''

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

describe('jobs', () => {
  /** Adds a job of a kind that was tried three times and has failed. @returns its id */
  const failed = async (name: string, message: string): Promise<string> => {
    const { rows } = await world.database.executeSql(
      `insert into pgboss.job (name, state, retry_limit, retry_count, completed_on, output)
       values ($1, 'failed', 2, 2, now(), jsonb_build_object('message', $2::text)) returning id`,
      [name, message],
    )
    return (rows[0] as { id: string }).id
  }
  const stateOf = async (id: string) => {
    const { rows } = await world.database.executeSql('select state from pgboss.job where id = $1', [id])
    return (rows[0] as { state: string } | undefined)?.state
  }
  const audits = async () => {
    const { rows } = await world.database.executeSql(
      `select act, subject_id, detail from audit_log where act like 'jobs.%' order by seq`,
    )
    return rows
  }
  beforeEach(() => world.database.executeSql('delete from pgboss.job'))

  test('list ends with 0 without failed ones, else with 1 and each reason', async () => {
    expect(await run('jobs', 'list')).toEqual({ code: 0, lines: ['処理はありません。'] })
    const id = await failed('media.film', 'ffmpeg ended with 1')
    const { code, lines } = await run('jobs', 'list', '--name', 'media.film')
    expect([code, lines[0]]).toEqual([1, expect.stringMatching(/^media\.film {2}失敗 1件/)])
    expect(lines[2]).toMatch(new RegExp(`^ {2}${id} {2}media\\.film .* 3回 {2}ffmpeg ended with 1$`))
    expect((await run('jobs', 'list', '--name', 'letter.send')).code).toBe(0)
  })

  test('retry tries one or all of a kind once more, and is audited', async () => {
    const [one, two, other] = [
      await failed('media.film', ''),
      await failed('media.film', ''),
      await failed('letter.send', ''),
    ]
    expect((await run('jobs', 'retry', one)).code).toBe(0)
    expect([await stateOf(one), await stateOf(two)]).toEqual(['retry', 'failed'])
    expect((await run('jobs', 'retry', one)).code).toBe(1)
    expect((await run('jobs', 'retry', '--name', 'media.film')).lines).toEqual([
      '1件を実行待ちにしました。1分以内に始まります。',
    ])
    expect([await stateOf(two), await stateOf(other)]).toEqual(['retry', 'failed'])
    expect((await audits()).slice(-2)).toEqual([
      { act: 'jobs.retry', subject_id: one, detail: { count: 1 } },
      { act: 'jobs.retry', subject_id: NO_ID, detail: { count: 1 } },
    ])
  })

  /** Adds a running job of a kind, which began `age` ago. @returns its id */
  const runningJob = async (name: string, age: string, leasedFor: string): Promise<string> => {
    const { rows } = await world.database.executeSql(
      `insert into pgboss.job (name, state, started_on, expire_seconds, retry_limit, output)
       values ($1, 'active', now() - $2::interval, 3600, 8,
         jsonb_build_object('run', 'x', 'leasedUntil', now() + $3::interval)) returning id`,
      [name, age, leasedFor],
    )
    return (rows[0] as { id: string }).id
  }

  test('list tells how long jobs run, and names those whose worker died or that run too long', async () => {
    const dead = await runningJob('post.fan-out', '125 seconds', '-5 seconds')
    await runningJob('post.fan-out', '5 seconds', '30 seconds')
    const long = await runningJob('media.film', '3700 seconds', '30 seconds')
    await runningJob('letter.send', '3 seconds', '30 seconds')
    const { code, lines } = await run('jobs', 'list')
    expect([code, lines]).toEqual([
      1,
      [
        expect.stringMatching(/^letter\.send {2}実行中 1件 .* {2}開始から\d秒$/),
        expect.stringMatching(/^media\.film {2}実行中 1件 .* {2}開始から1時間1分 {2}うち止まったもの 1件$/),
        expect.stringMatching(/^post\.fan-out {2}実行中 2件 .* {2}開始から2分 {2}うち止まったもの 1件$/),
        expect.stringContaining('止まった処理'),
        `  ${long}  media.film  開始から1時間1分`,
        `  ${dead}  post.fan-out  開始から2分`,
      ],
    ])
  })

  test('retry puts back what its worker left, and nothing that runs', async () => {
    const dead = await runningJob('post.fan-out', '125 seconds', '-5 seconds')
    const alive = await runningJob('post.fan-out', '125 seconds', '30 seconds')
    expect((await run('jobs', 'retry', alive)).code).toBe(1)
    expect((await run('jobs', 'retry', '--name', 'post.fan-out')).code).toBe(0)
    expect([await stateOf(dead), await stateOf(alive)]).toEqual(['retry', 'active'])
    const { rows } = await world.database.executeSql('select retry_limit from pgboss.job where id = $1', [
      dead,
    ])
    expect(rows).toEqual([{ retry_limit: 8 }])
  })

  test('a job that is tried once more runs, and ends', async () => {
    const { jobs, transaction } = world.deps
    const tries: string[] = []
    await jobs.work('media.film', 1, async ({ mediaId }) => {
      tries.push(mediaId)
      if (tries.length === 1) throw new Error('no room')
    })
    const mediaId = newId()
    await transaction(({ enqueue }) => enqueue('media.film', { mediaId }))
    const lastLine = async () => (await run('jobs', 'list')).lines.at(-1) ?? ''
    await expect.poll(lastLine).toMatch(/no room$/)
    const id = defined(/^ {2}(\S+)/.exec(await lastLine())?.[1])
    await run('jobs', 'retry', id)
    jobs.wake('media.film')
    await expect.poll(() => stateOf(id)).toBe('completed')
    expect(tries).toEqual([mediaId, mediaId])
  })

  test('drop deletes failed ones alone', async () => {
    const [one, waiting] = [await failed('letter.send', ''), await failed('letter.send', '')]
    await run('jobs', 'retry', waiting)
    expect((await run('jobs', 'drop', '--name', 'letter.send')).code).toBe(0)
    expect([await stateOf(one), await stateOf(waiting)]).toEqual([undefined, 'retry'])
    expect((await run('jobs', 'drop', waiting)).code).toBe(1)
  })

  test.each([
    ['list', 'x'],
    ['retry'],
    ['retry', 'x'],
    ['retry', '--name', 'media.film', newId()],
    ['drop', '--all'],
  ])('ends with 2 for the parameters %j %j', async (...words) => {
    expect((await run('jobs', ...words)).code).toBe(2)
  })
})

describe('staff add', () => {
  test('makes an account an admin, once, and is audited', async () => {
    const person = await signUp(world)
    expect(await run('staff', 'add', person.email.toUpperCase())).toEqual({
      code: 0,
      lines: ['管理者にしました。'],
    })
    expect((await run('staff', 'add', person.email)).lines).toEqual(['このアカウントは、すでに管理者です。'])
    const { rows } = await world.database.executeSql(
      `select actor_id, detail from audit_log where act = 'role.set' and subject_id = $1`,
      [person.id],
    )
    expect(rows).toEqual([{ actor_id: NO_ID, detail: { from: 'member', role: 'admin', by: 'command_line' } }])
    expect((await run('staff', 'add', 'daremo@example.com')).code).toBe(1)
    for (const words of [[], ['--x'], ['a@example.com', 'b@example.com']])
      expect((await run('staff', 'add', ...words)).code).toBe(2)
  })
})

describe('staff link', () => {
  test('prints the link of a registration, which makes an address of ADMIN_EMAILS an admin', async () => {
    const own = await openWorld({ settings: { adminEmails: ['first@todoke.test'] } })
    const link = async (email: string) => {
      const lines: string[] = []
      const print = (line: string) => void lines.push(line)
      return { code: await runCommand(['staff', 'link', email], { deps: own.deps, print }), lines }
    }
    const post = (at: string, body: object) =>
      own.app.inject({ method: 'POST', url: API_BASE + at, payload: body })
    expect((await link('first@todoke.test')).code).toBe(1)
    const signUpBody = {
      name: '最初の人',
      birth_date: '1990-01-01',
      password: 'a-long-password-1',
      terms: true,
    }
    for (const email of ['first@todoke.test', 'second@todoke.test'])
      expect((await post(register.path, { ...signUpBody, email })).statusCode).toBe(200)
    for (const email of ['First@todoke.test', 'second@todoke.test']) {
      const { code, lines } = await link(email)
      const token = /[?#]token=([\w-]+)$/.exec(defined(lines[0]))?.[1]
      expect(code).toBe(0)
      const confirmed = await post(confirmRegistration.path, { token, password: signUpBody.password })
      expect(confirmed.statusCode).toBe(200)
    }
    const { rows } = await own.database.executeSql('select email, role from users order by email')
    expect(rows).toEqual([
      { email: 'first@todoke.test', role: 'admin' },
      { email: 'second@todoke.test', role: 'member' },
    ])
    const { rows: audits } = await own.database.executeSql(
      `select act from audit_log where act in ('registration.link', 'role.set') order by seq`,
    )
    expect(audits.map((it) => (it as { act: string }).act)).toEqual([
      'registration.link',
      'role.set',
      'registration.link',
    ])
    await own.close()
  })
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
  await fillDataFolder(folder)
  await loadVapid(folder)
  const start = (words: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [...fastStart, path.join(import.meta.dirname, 'main.ts'), ...words], {
      encoding: 'utf8',
      env: {
        ...process.env,
        ...compiledEnv,
        DATABASE_URL: '',
        DATA_DIR: folder,
        SECRET_KEY: 'k'.repeat(32),
        ...env,
      },
    })
  const right = start(['audit', 'verify'])
  expect([right.status, right.stdout]).toEqual([0, expect.stringContaining('（1件）')])
  const other = start(['audit', 'verify'], { SECRET_KEY: 'o'.repeat(32) })
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('データベースのものと異なります')])
  const wrong = start(['audit', 'verify'], { SECRET_KEY: 'short' })
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('SECRET_KEY')])
  expect(start(['unknown']).status).toBe(2)
  await rm(folder, { recursive: true })
})
