// Servers on one database and data folder: before a move of objects, and during it.
import { readdir } from 'node:fs/promises'
import { runCommand } from '#server/cli/commands.ts'
import { begunIn, keysIn, newBuckets } from '#server/testing/s3/stores.ts'
import { openWorld, storedAt, type World } from '#server/testing/world.ts'

export type Place = 'disk' | 's3'

export interface MovedWorlds {
  /** Stores in the earlier place alone, as a server before the move. */
  readonly before: World
  /** Stores in the present place, and knows the earlier one. */
  readonly during: World
  /** A server once everything is moved. */
  after(): Promise<World>
  /** A server that moves everything back. */
  back(): Promise<World>
  /** What a place has of an upload: its files, or its objects, tails and unfinished parts. */
  namesIn(place: Place, id: string): Promise<string[]>
  /** Runs `storage move`. @returns its lines */
  move(...words: string[]): Promise<string>
  close(): Promise<void>
}

/** Opens the two servers. They need PostgreSQL and an object store. */
export async function openMovedWorlds(movedFrom: Place): Promise<MovedWorlds> {
  const s3 = await newBuckets()
  const before = await openWorld({ database: 'postgres', parts: movedFrom === 's3' ? { s3 } : {} })
  const { dataDir, postgres } = before
  const at = { url: postgres?.url ?? '' }
  const opened: World[] = []
  const open = async (parts: Parameters<typeof openWorld>[0]) => {
    const world = await openWorld({ at, ...parts })
    opened.push(world)
    return world
  }
  const movedTo = movedFrom === 's3' ? 'disk' : 's3'
  const during = await open({ worker: true, parts: { dataDir, s3, objectsFrom: movedFrom } })
  return {
    before,
    during,
    after: () => open({ parts: { dataDir, ...(movedTo === 's3' && { s3 }) } }),
    back: () => open({ parts: { dataDir, s3, objectsFrom: movedTo } }),
    async namesIn(place, id) {
      const names =
        place === 's3'
          ? [...(await keysIn(s3, s3.bucket)), ...(await begunIn(s3, s3.bucket))]
          : (await readdir(storedAt(before, 'uploads'))).map((it) => `uploads/${it}`)
      return names.filter((it) => it.includes(id)).toSorted()
    },
    async move(...words) {
      const lines: string[] = []
      const print = (line: string) => void lines.push(line)
      await runCommand(['storage', 'move', ...words], { deps: during.deps, print })
      return lines.join('\n')
    },
    async close() {
      for (const it of opened) await it.close()
      await before.close()
    },
  }
}
