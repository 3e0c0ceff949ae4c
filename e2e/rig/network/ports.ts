// Free ports and temporary folders.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the ports that connections going out are given: one that is let go for a while is still free then. */
const [FIRST, COUNT] = [20_000, 750]
/** Each process of the runner has ports of its own: what one lets go between two stories no other may take. */
const own = Number(process.env['TEST_PARALLEL_INDEX'] ?? 15) % 16
const given = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise((tell) => {
    const probe = createServer()
    probe.once('error', () => tell(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => tell(true)))
  })

/** A free port that this process has not used before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + own * COUNT + randomInt(COUNT)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

const folders: string[] = []

process.on('exit', () => {
  for (const it of folders) rmSync(it, { recursive: true, force: true })
})

/** A new folder under the system's temporary one; it goes when this process goes. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `todoke-${name}-`))
  folders.push(folder)
  return folder
}

/** Asks again until the answer is there. */
export async function until<T>(ask: () => Promise<T | undefined>, what: string, ms = 90_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}
