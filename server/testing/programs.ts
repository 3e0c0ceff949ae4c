// Finds optional programs on this machine, for tests that are skipped without them.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Where Debian has PostgreSQL, in a folder for each version. */
const POSTGRES = '/usr/lib/postgresql'

/** Where Debian has programs outside of the PATH of most people: PostgreSQL, newest first, and those of administrators. */
function foldersOfDebian(): string[] {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).toSorted().toReversed() : []
  return [...versions.map((it) => path.join(POSTGRES, it, 'bin')), '/usr/sbin']
}

/** Folders in which programs are looked for. With `PROGRAMS=path` they are those of PATH alone. */
export function programFolders(): string[] {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((it) => it !== '')
  if (process.env['PROGRAMS'] === 'path') return onPath
  return [...foldersOfDebian(), ...onPath]
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a program; undefined where it is not installed. */
export const programPath = (name: string): string | undefined =>
  programFolders()
    .map((it) => path.join(it, name))
    .find(isExecutable)

export const isInstalled = (name: string): boolean => programPath(name) !== undefined
