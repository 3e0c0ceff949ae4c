// Free ports and temporary folders.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEADLINE_MS } from '#e2e/rig/deadline.ts'
import { afterDelay } from '#e2e/rig/moments.ts'

/** Range below the ports of outgoing connections, so that a port released for a while remains free. */
const [FIRST, COUNT] = [20_000, 750]
/** Number of this runner process. Each has a range of its own, so that no other uses a port released between stories. */
const processNumber = Number(process.env['TEST_PARALLEL_INDEX'] ?? 15) % 16
const used = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** A free port that this process has not used before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + processNumber * COUNT + randomInt(COUNT)
    if (used.has(port) || !(await isFree(port))) continue
    used.add(port)
    return port
  }
}

const folders: string[] = []

process.on('exit', () => {
  for (const it of folders) rmSync(it, { recursive: true, force: true })
})

/** The folder of files that later runs use again. */
export const cacheFolder = (): string => process.env['TODOKE_CACHES'] ?? tmpdir()

/** Makes a folder under the system's temporary folder; it is deleted when this process exits. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `todoke-${name}-`))
  folders.push(folder)
  return folder
}

/** Polls until there is a result. */
export async function until<T>(
  read: () => Promise<T | undefined>,
  what: string,
  ms = DEADLINE_MS,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const result = await read()
    if (result !== undefined) return result
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`)
    await afterDelay(100)
  }
}
