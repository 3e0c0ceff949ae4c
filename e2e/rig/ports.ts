// Free ports and temporary folders.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer()
    probe.once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object' ? done(address.port) : failed(new Error('no port')),
      )
    })
  })
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
export async function until<T>(ask: () => Promise<T | undefined>, what: string, ms = 30_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}
