// Hides installed programs from commands, as on a machine that does not have them.
import { globSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Variables that name programs beside those of PATH. */
const named = ['PG_BIN', 'REDIS_SERVER_PATH', 'TEST_DATABASE_URL'] as const

/** Folders in which tests look for programs: also those of Debian outside of the PATH of most people. */
const folders = (): string[] => [
  ...(process.env['PATH'] ?? '').split(delimiter),
  ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  '/usr/sbin',
]

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // A folder of PATH need not exist.
    return []
  }
}

/**
 * Environment in which no command of these names is found: programs are looked for on PATH alone, where each folder that has one is replaced by links to its other programs.
 * @param commands names; `*` matches the rest of one
 * @param folder an empty folder for the links
 */
export function environmentWithout(commands: readonly string[], folder: string): NodeJS.ProcessEnv {
  const isHidden = (name: string) =>
    commands.some((it) => (it.endsWith('*') ? name.startsWith(it.slice(0, -1)) : name === it))
  const replaced = new Map<string, string>()
  const visible = folders().map((it) => {
    const names = namesIn(it)
    if (!names.some(isHidden)) return it
    const real = realpathSync(it)
    const known = replaced.get(real)
    if (known !== undefined) return known
    const links = join(folder, String(replaced.size))
    mkdirSync(links)
    for (const name of names) if (!isHidden(name)) symlinkSync(join(real, name), join(links, name))
    replaced.set(real, links)
    return links
  })
  const none = Object.fromEntries(named.map((it) => [it, undefined]))
  return { ...none, PATH: visible.join(delimiter), PROGRAMS: 'path' }
}
