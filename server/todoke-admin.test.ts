// `deploy/todoke-admin`: the environment, the user and the words with which it starts the command line.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const isRoot = process.getuid?.() === 0
const USER = 'nobody'

/** Values as the units of systemd would pass them on. */
const values: Readonly<Record<string, readonly [line: string, value: string]>> = {
  SMTP_URL: ['SMTP_URL=smtps://user:p#a$s&s;w`d@relay.test:465', 'smtps://user:p#a$s&s;w`d@relay.test:465'],
  OPERATOR_NAME: ['  OPERATOR_NAME =株式会社 見本  ', '株式会社 見本'],
  MAIL_FROM: ['MAIL_FROM="とどけ <no-reply@todoke.test>"', 'とどけ <no-reply@todoke.test>'],
  METRICS_TOKEN: [`METRICS_TOKEN='a "b" c'`, 'a "b" c'],
  SECRET_KEY: ['SECRET_KEY=cGFkZGVk/+==', 'cGFkZGVk/+=='],
  BACKUP_DAYS: ['BACKUP_DAYS=14', '14'],
}

describe.skipIf(!isRoot)('todoke-admin', () => {
  let folder = ''
  const inFolder = (...names: string[]) => path.join(folder, ...names)
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-admin-'))
    await chmod(folder, 0o755)
    for (const it of ['code/deploy', 'code/node_modules/node/bin', 'bin'])
      await mkdir(inFolder(it), { recursive: true })
    await copyFile(
      path.join(import.meta.dirname, '../deploy/todoke-admin'),
      inFolder('code/deploy/todoke-admin'),
    )
    // In place of Node: prints its user, its words and its environment.
    const program = '#!/bin/sh\nid -un\necho "$@"\nexec env\n'
    await writeFile(inFolder('code/node_modules/node/bin/node'), program, { mode: 0o755 })
    await symlink(inFolder('code/deploy/todoke-admin'), inFolder('bin/todoke-admin'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function run(lines: readonly string[], ...words: string[]) {
    await writeFile(inFolder('todoke.env'), lines.join('\n'), { mode: 0o600 })
    const env = { PATH: process.env['PATH'], TODOKE_ENV_FILE: inFolder('todoke.env'), TODOKE_USER: USER }
    const { status, stdout, stderr } = spawnSync(inFolder('bin/todoke-admin'), words, {
      encoding: 'utf8',
      env,
    })
    return { status, lines: stdout.trimEnd().split('\n'), stderr: stderr.trimEnd() }
  }

  test('runs the command as the user of the servers, with each value as systemd reads it', async () => {
    const lines = ['# A comment', '; another one', '', ...Object.values(values).map(([line]) => line)]
    const done = await run(lines, 'staff', 'add', 'a b@c.test')
    expect([done.status, ...done.lines.slice(0, 2)]).toEqual([
      0,
      USER,
      `${inFolder('code/server/cli/main.ts')} staff add a b@c.test`,
    ])
    for (const [name, [, value]] of Object.entries(values)) expect(done.lines).toContain(`${name}=${value}`)
    expect(done.lines).toEqual(
      expect.arrayContaining([
        'NODE_ENV=production',
        'DATA_DIR=/var/lib/todoke',
        'TODOKE_ADMIN=todoke-admin',
      ]),
    )
  })

  test('takes the data folder of the file, as the units do', async () => {
    expect((await run(['DATA_DIR=/srv/todoke'])).lines).toContain('DATA_DIR=/srv/todoke')
  })

  test('names the variable of a line that systemd would read in another way, and not its value', async () => {
    const done = await run(['SMTP_URL=smtps://user:pass\\word@relay.test'])
    expect(done).toMatchObject({ status: 2, stderr: expect.stringContaining('SMTP_URL') })
    expect(done.stderr).not.toContain('word')
  })

  test('is refused for another user than root', () => {
    const tried = spawnSync(inFolder('bin/todoke-admin'), { encoding: 'utf8', uid: 65_534, gid: 65_534 })
    expect([tried.status, tried.stderr]).toEqual([2, 'root で実行してください（sudo todoke-admin …）。\n'])
  })
})

test('todoke-admin can be executed, and has the syntax of sh', async () => {
  const file = path.join(import.meta.dirname, '../deploy/todoke-admin')
  execFileSync('sh', ['-n', file])
  const mode = execFileSync('git', ['ls-files', '--stage', file], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  expect(mode.slice(0, 6)).toBe('100755')
  expect(await readFile(file, 'utf8')).toContain('/etc/todoke/todoke.env')
})
