// The programs of PostgreSQL that are installed, and the user to run them as.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { programFolders } from '#server/testing/programs.ts'

/** The folder of the newest programs of PostgreSQL; undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  const given = process.env['PG_BIN']
  return [...(given ? [given] : []), ...programFolders()].find((folder) =>
    ['initdb', 'postgres'].every((it) => existsSync(path.join(folder, it))),
  )
}

/** The user to run PostgreSQL as, since it refuses to run as root. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    return { uid: 65_534, gid: 65_534 }
  }
}
