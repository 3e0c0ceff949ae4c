// Ends the processes of a run, and removes its folder.
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOver, lineOf, membersOf, nameOf, type Run, runOfFolder } from './members.ts'
import { readProcesses } from './processes.ts'

/** How long a process has for an orderly end, and the system for the end of one that is killed, ms. */
const GRACE_MS = 5000
const POLL_MS = 100

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended, or is of another user.
  }
}

/** Removes a folder. @returns false while a process still writes to it */
export function remove(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

/** Ends the processes of a run by SIGTERM, then by SIGKILL, and removes its folder. */
export async function endRun(run: Run): Promise<void> {
  const known = new Set<string>()
  const look = () => {
    const all = readProcesses()
    const except = new Set(lineOf(process.pid, all).map((it) => it.pid))
    const members = membersOf(all, run, { known, except })
    for (const it of members) known.add(nameOf(it))
    return members
  }
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    const signalled = new Set<string>()
    for (const giveUpAt = performance.now() + GRACE_MS; performance.now() < giveUpAt; await pause(POLL_MS)) {
      const members = look()
      if (members.length === 0) break
      for (const it of members.filter((member) => !signalled.has(nameOf(member)))) {
        signal(it.pid, name)
        signalled.add(nameOf(it))
      }
    }
  }
  if (run.folder === undefined) return
  for (let tries = 0; !remove(run.folder) && tries < 20; tries++) await pause(POLL_MS)
}

/** The folders of this user's runs. @param parents folders of temporary files */
function foldersOfRuns(parents: readonly string[]): { id: string; folder: string }[] {
  return parents
    .filter((it) => existsSync(it))
    .flatMap((parent) =>
      readdirSync(parent).flatMap((name) => {
        const id = runOfFolder(name)
        const folder = join(parent, name)
        const stat = id === undefined ? undefined : lstatSync(folder, { throwIfNoEntry: false })
        return id !== undefined && stat?.uid === process.getuid?.() ? [{ id, folder }] : []
      }),
    )
}

/**
 * Ends what runs have left whose first process and watchdog were killed.
 * @param parents folders of temporary files
 * @returns how many runs had left something
 */
export async function endEarlierRuns(parents: readonly string[]): Promise<number> {
  const all = readProcesses()
  const folders = foldersOfRuns(parents)
  const named = all.flatMap((it) => (it.run === undefined ? [] : [it.run]))
  const ids = new Set([...folders.map((it) => it.id), ...named].filter((it) => isOver(it, all)))
  for (const id of ids) {
    const own = folders.filter((it) => it.id === id)
    for (const run of own.length > 0 ? own : [{ id, folder: undefined }]) await endRun(run)
  }
  return ids.size
}
