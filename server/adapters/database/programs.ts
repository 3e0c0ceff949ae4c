// Runs the programs of PostgreSQL that dump and restore a database.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'

/** A program is missing or too old, or ended with an error; the message is for the operator. */
export class ProgramFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProgramFailed'
  }
}

/** Name of the session that restores a dump (`application_name`). */
export const RESTORE_SESSION = 'todoke restore'

/** The end of what a program printed that is shown. */
const SHOWN = 2000

/**
 * Runs a program to its end.
 * @param more of its environment, such as a password: arguments are visible to other users of the machine
 * @returns its output
 * @throws ProgramFailed
 */
async function run(
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, args, {
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (it) => (output += String(it)))
  child.stderr.on('data', (it) => (errors = (errors + String(it)).slice(-SHOWN)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new ProgramFailed(
              `${program} がありません。PostgreSQL のクライアントをインストールしてください（Debian: postgresql-client）。`,
            )
          : error,
      ),
    )
  })
  if (code !== 0)
    throw new ProgramFailed(`${program} が失敗しました（終了コード ${code}）。\n${errors.trim()}`)
  return output
}

interface Address {
  /** Without the password. */
  readonly url: string
  /** The password as an environment of libpq; empty without one. */
  readonly secret: Readonly<Record<string, string>>
}

/** @param url as in DATABASE_URL, which libpq reads too */
function addressOf(url: string): Address {
  const parsed = new URL(url)
  const password = decodeURIComponent(parsed.password)
  parsed.password = ''
  return { url: parsed.href, secret: password === '' ? {} : { PGPASSWORD: password } }
}

/** The major version of an installed program. @throws ProgramFailed */
async function majorOf(program: string): Promise<number> {
  const printed = await run(program, ['--version'])
  const found = / (\d+)/.exec(printed)?.[1]
  if (found === undefined) throw new ProgramFailed(`${program} の版を読み取れません: ${printed.trim()}`)
  return Number(found)
}

/** @throws ProgramFailed for a program that is older than what it has to read */
async function mustBeAtLeast(program: string, major: number): Promise<void> {
  const own = await majorOf(program)
  if (own < major)
    throw new ProgramFailed(
      `${program} の版（${own}）が、データベースの版（${major}）より古いため使えません。版 ${major} 以上の PostgreSQL のクライアントをインストールしてください。`,
    )
}

export interface DumpOf {
  readonly url: string
  /** Version of the server, such as 15. */
  readonly major: number
  /** An exported snapshot. */
  readonly snapshot: string
}

/** Writes a dump in the custom format, without owners and rights. @throws ProgramFailed */
export async function dumpPostgres({ url, major, snapshot }: DumpOf, file: string): Promise<void> {
  await mustBeAtLeast('pg_dump', major)
  const { url: address, secret } = addressOf(url)
  // The program keeps the rights of a file that exists.
  await writeFile(file, '', { flag: 'wx', mode: 0o600 })
  const what = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`]
  await run('pg_dump', [...what, `--file=${file}`, '--no-password', `--dbname=${address}`], secret)
}

/** @param major version of the dump @throws ProgramFailed when the program that restores it is missing or older */
export const mustRestore = (major: number): Promise<void> => mustBeAtLeast('pg_restore', major)

/**
 * Fills an empty database from a dump, in one transaction, by a session named RESTORE_SESSION. The program goes on when this
 * process is killed.
 * @throws ProgramFailed
 */
export async function restorePostgres(url: string, file: string): Promise<void> {
  const { url: address, secret } = addressOf(url)
  const how = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-password']
  await run('pg_restore', [...how, `--dbname=${address}`, file], {
    ...secret,
    PGAPPNAME: RESTORE_SESSION,
  })
}

/** Reads the table of contents of a dump. @throws ProgramFailed */
export async function readContents(file: string): Promise<void> {
  await run('pg_restore', ['--list', file])
}
