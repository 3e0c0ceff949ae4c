// Which processes belong to a run, and whether the run is over.
import type { Process } from './processes.ts'

export interface Run {
  readonly id: string
  /** The folder of its temporary files, unless it is removed. */
  readonly folder: string | undefined
}

/** What a watchdog watches. */
export interface Watched extends Run {
  readonly pid: number
  /** Names of npm and its shell above the first process, whose end ends the run. */
  readonly above: readonly string[]
  /** A server ends after the requests that it still answers, however long they take. */
  readonly isServer: boolean
}

/** Environment variable of a watchdog with what it watches: its arguments would make it a member. */
export const WATCHED = 'TODOKE_WATCHED'

type Named = Pick<Process, 'pid' | 'started'>

/** Names one process, also after another one got its number. A run has the name of its first process. */
export const nameOf = (it: Named): string => `${it.pid}-${it.started}`

const FOLDER = /^todoke-run-(\d+-\d+)-/

/** The run of a folder in a folder of temporary files. */
export const runOfFolder = (name: string): string | undefined => FOLDER.exec(name)?.[1]

/** Beginning of the name of a run's folder. */
export const folderOfRun = (id: string): string => `todoke-run-${id}-`

/** Whether a process is in a folder, or was called with one of its paths. */
function uses(it: Process, folder: string | undefined): boolean {
  if (folder === undefined) return false
  return `${it.folder}/`.startsWith(`${folder}/`) || it.command.includes(folder)
}

/**
 * The processes of a run: those whose environment names it, and their descendants. PostgreSQL, Redis, nginx and Chromium
 * overwrite their environment: they are descendants, or known from an earlier look, or use the run's folder.
 * @param known names of processes that were members before, which may have lost their parents since
 * @param except processes that are none, such as the one that asks
 */
export function membersOf(
  all: readonly Process[],
  run: Run,
  { known, except }: { readonly known: ReadonlySet<string>; readonly except: ReadonlySet<number> },
): Process[] {
  const isMember = (it: Process): boolean => {
    if (known.has(nameOf(it)) || nameOf(it) === run.id) return true
    if (it.run !== undefined) return it.run === run.id
    // A shell in which a person looks at the folder is none of them.
    return uses(it, run.folder) && !it.leadsTerminal
  }
  const others = all.filter((it) => !except.has(it.pid))
  const members = new Map(others.filter(isMember).map((it) => [it.pid, it]))
  for (let before = -1; before < members.size;) {
    before = members.size
    for (const it of others)
      // A descendant may begin a run of its own, as tests of this mechanism do.
      if (members.has(it.parent) && (it.run === undefined || it.run === run.id)) members.set(it.pid, it)
  }
  return [...members.values()]
}

/** Whether the first process of a run has ended. */
export function isOver(id: string, all: readonly Process[]): boolean {
  return !all.some((it) => nameOf(it) === id)
}

/** A process and its ancestors, from the nearest one. */
export function lineOf(pid: number, all: readonly Process[]): Process[] {
  const byPid = new Map(all.map((it) => [it.pid, it]))
  const line: Process[] = []
  for (let it = byPid.get(pid); it && !line.includes(it); it = byPid.get(it.parent)) line.push(it)
  return line
}

/** The processes between npm and a process that it started, and npm itself; none for a process without npm. */
export function npmAbove(pid: number, all: readonly Process[]): Process[] {
  const line = lineOf(pid, all)
  const npm = line.findIndex((it) => !it.ofNpm)
  return line.slice(1, npm + 1)
}
