// The initial data folder of every server of a run: demo people with processed media. It is made once for one state
// of its sources and cached in the temporary folder, since making it takes longer than most stories.
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, temporaryFolder, until } from './ports.ts'
import { releasedPosts } from '#e2e/rig/posting/posts.ts'
import { demoAuthors } from '#e2e/rig/people/people.ts'
import { Server } from './server.ts'

const sources = [
  'package-lock.json',
  'server/{modules/demo,store,adapters}/**/*.{ts,sql,mp4}',
  'server/modules/media/*.ts',
]

function cacheName(): string {
  const hash = createHash('sha256')
  const files = sources.flatMap((it) => globSync(it)).filter((it) => !it.endsWith('.test.ts'))
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(file))
  return `todoke-demo-${hash.digest('hex').slice(0, 16)}`
}

async function make(folder: string): Promise<void> {
  const server = await Server.launch(folder)
  try {
    await mediaMade(server)
  } finally {
    await server.stop()
  }
}

async function mediaMade(server: Server): Promise<void> {
  await until(async () => {
    const posts = (await Promise.all(demoAuthors.map((it) => releasedPosts(server.url, it)))).flat()
    const media = posts.flatMap((it) => (it.access.is === 'full' ? it.access.media : []))
    const failed = media.find((it) => it.state === 'failed')
    if (failed) throw new Error(`the demo media ${failed.id} is failed: ${failed.failure}`)
    return media.some((it) => it.state === 'processing') ? undefined : true
  }, 'the demo media to be made')
}

/** Returns the folder, which callers copy and do not change. */
export async function demoData(): Promise<string> {
  const cached = join(cacheFolder(), cacheName())
  if (existsSync(cached)) return cached
  const made = join(temporaryFolder('demo'), 'data')
  await make(made)
  // Two runs may make it at the same time: each renames its complete copy, and the first rename wins.
  const copy = `${cached}.${randomUUID()}`
  cpSync(made, copy, { recursive: true })
  try {
    renameSync(copy, cached)
  } catch (error) {
    rmSync(copy, { recursive: true, force: true })
    if (!existsSync(cached)) throw error
  }
  return cached
}
