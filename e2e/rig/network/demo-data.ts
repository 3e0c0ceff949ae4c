// The initial data folder of every server of a run: demo people with processed media. Built once for one state of its
// sources, and stored beside other temporary files, since building it takes longer than most stories.
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder, until } from './ports.ts'
import { releasedPosts } from '#e2e/rig/posting/posts.ts'
import { Server } from './server.ts'

const makers = [
  'package-lock.json',
  'server/{modules/demo,store,adapters}/**/*.{ts,sql,mp4}',
  'server/modules/media/*.ts',
]

function nameOfState(): string {
  const hash = createHash('sha256')
  const files = makers.flatMap((it) => globSync(it)).filter((it) => !it.endsWith('.test.ts'))
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(file))
  return `todoke-demo-${hash.digest('hex').slice(0, 16)}`
}

async function make(folder: string): Promise<void> {
  const server = await Server.on(folder)
  await until(
    async () => {
      const posts = await releasedPosts(server.url)
      const media = posts.flatMap((it) => (it.access.is === 'full' ? it.access.media : []))
      return media.some((it) => it.state === 'processing') ? undefined : true
    },
    'the demo media to be made',
    120_000,
  )
  await server.stop()
}

/** A folder to copy from; it is not changed. */
export async function demoData(): Promise<string> {
  const kept = join(tmpdir(), nameOfState())
  if (existsSync(kept)) return kept
  const made = join(temporaryFolder('demo'), 'data')
  await make(made)
  // Two runs may make it at once: each moves its own whole folder into place, and the first stays.
  const passing = `${kept}.${randomUUID()}`
  cpSync(made, passing, { recursive: true })
  try {
    renameSync(passing, kept)
  } catch (error) {
    rmSync(passing, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  return kept
}
