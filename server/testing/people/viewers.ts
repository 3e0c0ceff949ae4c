// Viewers of the access table, on a server with every post.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onSeveralServers, openSeveralServers } from '#server/testing/several-servers.ts'
import { type DatabaseKind, openWorld, type World } from '#server/testing/world.ts'
import type { ViewerName } from './access-table.ts'
import { type ExhibitName, type Gallery, openGallery } from './gallery.ts'
import { call, type Member, type Reply } from './members.ts'
import { openStudio, type Studio } from './studio.ts'

export interface Viewers {
  readonly world: World
  readonly studio: Studio
  readonly gallery: Gallery
  memberOf(name: ViewerName): Member | null
  /** The member as whom the server accepts the viewer. A suspended member counts as a visitor. */
  acceptedAs(name: ViewerName): Member | null
  readPage(name: ViewerName, post: ExhibitName): Promise<Reply>
  statusAt(address: string, as: Member | null): Promise<number>
  close(): Promise<void>
}

const SHELL = '<html><head><title>とどけ</title></head><body></body></html>'

/** Opens a server with a built page, and makes every post and every viewer of the table, with real media. */
export async function openViewers(database: DatabaseKind): Promise<Viewers> {
  const dist = await mkdtemp(path.join(tmpdir(), 'todoke-dist-'))
  await writeFile(path.join(dist, 'index.html'), SHELL)
  await writeFile(path.join(dist, 'pages.json'), '["/", "/post/$id", "/profile/$id"]')
  const world = onSeveralServers
    ? await openSeveralServers(dist)
    : await openWorld({ database, settings: { dist } })
  const studio = await openStudio(world)
  const gallery = await openGallery(world, studio)
  const memberOf = (name: ViewerName): Member | null => gallery.viewers[name] ?? null
  return {
    world,
    studio,
    gallery,
    memberOf,
    acceptedAs: (name) => (name === 'suspended' ? null : memberOf(name)),
    readPage: (name, post) => call(world, memberOf(name), 'GET', `/posts/${gallery.posts[post].id}`),
    statusAt: async (address, as) => (await studio.get(address, as)).statusCode,
    async close() {
      await world.close()
      await rm(dist, { recursive: true })
    },
  }
}

/** Checks all items concurrently: while one waits for the database, another is processed. */
export async function forEachAtOnce<T>(all: readonly T[], check: (it: T) => Promise<void>): Promise<void> {
  await Promise.all(all.map(check))
}
