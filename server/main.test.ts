// The server as a process: its log, its anchors, its email, and refused starts.
import { spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { runCommand } from './cli/commands.ts'
import { readEnv } from './env/env.ts'
import { openDeps } from './open-deps.ts'
import { startRelay } from './testing/clients/mail-relay.ts'
import { refusedStart } from './testing/process.ts'
import { member } from './testing/processes/process-member.ts'
import { isInstalled } from './testing/programs.ts'
import { processSetup } from './testing/processes/process-setup.ts'

const setup = processSetup()
const json = { 'content-type': 'application/json' }

test('an email is sent by the configured relay, and the log has no part of it', async () => {
  const relay = await startRelay({ user: { name: 'todoke', password: 'relay-password' } })
  const { origin, output } = await setup.start({
    SMTP_URL: relay.url,
    MAIL_FROM: 'とどけ <hello@todoke.example>',
    LOG_LEVEL: 'info',
  })
  const person = {
    email: 'newcomer@example.com',
    password: 'newcomer-1234',
    name: '新',
    birth_date: '1990-01-01',
    terms: true,
  }
  await fetch(`${origin}/api/auth/sign-up`, { method: 'POST', headers: json, body: JSON.stringify(person) })
  await expect.poll(() => relay.received).toHaveLength(1)
  const link = /\/confirmed#token=([\w-]{43})/.exec(defined(relay.received[0]?.text))
  const reply = await fetch(`${origin}/api/auth/sign-up/confirm`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ token: link?.[1], password: person.password }),
  })
  expect(await reply.json()).toMatchObject({ user: { email: person.email } })
  expect(output()).toContain('/api/auth/sign-up/confirm')
  for (const secret of [person.email, person.password, defined(link?.[1]), 'relay-password'])
    expect(output()).not.toContain(secret)
  await relay.stop()
}, 60_000)

test('a second process on the folder, a port in use and a wrong setting each give one sentence; the first process continues', async () => {
  const { origin } = await setup.start()
  expect(await refusedStart({ DATA_DIR: setup.dataDir })).toEqual({
    code: 1,
    output: `データフォルダー ${setup.dataDir} はすでに別のプロセスが使っています。そちらを終了してから起動してください。\n`,
  })
  const { port } = new URL(origin)
  const other = await setup.otherFolder()
  expect(await refusedStart({ DATA_DIR: other, PORT: port })).toEqual({
    code: 1,
    output: `ポート ${port} はすでに使われています。環境変数 PORT で別の番号にしてください。\n`,
  })
  expect(await refusedStart({ DATA_DIR: other, PORT: 'eighty' })).toEqual({
    code: 2,
    output: '環境変数 PORT の値が正しくありません。0〜65535 の数字にしてください。\n',
  })
  expect((await fetch(`${origin}/api/health`)).status).toBe(200)
}, 120_000)

test('the anchor in the log of a start verifies, and finds an end that was cut', async () => {
  const started = await setup.start({ LOG_LEVEL: 'info', ADMIN_EMAILS: member.email })
  await started.end('SIGTERM')
  const line = started
    .output()
    .split('\n')
    .find((it) => it.includes('the audit log ends here'))
  const { anchor } = JSON.parse(defined(line)) as { anchor: string }
  expect(anchor).toMatch(/^[1-9]\d*:[\w-]{43}$/)
  const deps = await openDeps(readEnv({ DATA_DIR: setup.dataDir, SEED_DEMO: '0', LOG_LEVEL: 'silent' }), {
    failed: (error) => expect.unreachable(error.message),
    redis: () => undefined,
    realtime: () => undefined,
  })
  const verify = () => runCommand(['audit', 'verify', '--anchor', anchor], { deps, print: () => undefined })
  expect(await verify()).toBe(0)
  const cut = `alter table audit_log disable trigger user; delete from audit_log where seq = ${anchor.split(':')[0]}`
  await deps.database.executeSql(cut)
  expect(await verify()).toBe(1)
  await deps.close()
}, 120_000)

test('a folder or a file in it that cannot be used is one sentence, and an unforeseen error begins with one', async () => {
  const starts: [string, (folder: string) => Promise<unknown>, RegExp][] = [
    [
      'no pg_control',
      (it) => rm(path.join(it, 'pglite/global/pg_control')),
      /^データフォルダー \S+ の内蔵データベースが壊れています[^\n]+\n$/,
    ],
    [
      'no JSON in vapid.json',
      (it) => writeFile(path.join(it, 'vapid.json'), '{'),
      /^[^\n]+ の vapid.json [^\n]+\n$/,
    ],
    [
      'an empty secret.key',
      (it) => writeFile(path.join(it, 'secret.key'), ''),
      /^[^\n]+ の secret.key [^\n]+\n$/,
    ],
    [
      'a file in the place of media',
      (it) => writeFile(path.join(it, 'media'), ''),
      /^データフォルダー \S+ はフォルダーではありません。[^\n]+\n$/,
    ],
    [
      'a folder in the place of secret.key',
      (it) => mkdir(path.join(it, 'secret.key')),
      /^起動できませんでした。[^\n]+\n.*EISDIR/,
    ],
  ]
  for (const [name, spoil, sentence] of starts) {
    const folder = await setup.otherFolder()
    await spoil(folder)
    const { code, output } = await refusedStart({ DATA_DIR: folder })
    expect([name, code]).toEqual([name, 1])
    expect(output).toMatch(sentence)
  }
}, 120_000)

test.skipIf(!isInstalled('bwrap'))(
  'a folder on a disk that is only read, or full, is one sentence',
  async () => {
    const folder = setup.dataDir
    const program = path.join(import.meta.dirname, 'main.ts')
    const startIn = (options: readonly string[]) => {
      const env = {
        PATH: process.env['PATH'],
        DATA_DIR: folder,
        PORT: '0',
        SEED_DEMO: '0',
        LOG_LEVEL: 'silent',
      }
      const command = ['--dev-bind', '/', '/', ...options, '--', process.execPath, program]
      return spawnSync('bwrap', command, { env, encoding: 'utf8' })
    }
    const onlyRead = startIn(['--ro-bind', folder, folder])
    expect([onlyRead.status, onlyRead.stderr]).toEqual([
      1,
      `データフォルダー ${folder} は読み取り専用のディスクにあります。書き込めるようにしてください。\n`,
    ])
    const full = startIn(['--size', '3000000', '--tmpfs', folder])
    expect([full.status, full.stderr]).toEqual([
      1,
      `データフォルダー ${folder} のディスクがいっぱいです。空き容量を増やしてから起動してください。\n`,
    ])
  },
  120_000,
)
