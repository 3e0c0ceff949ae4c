// Reads that a replica may serve, with what their person has written.
import type { FastifyRequest } from 'fastify'
import type { Database } from '#server/adapters/database/database.ts'
import type { Metrics } from '#server/adapters/metrics/metrics.ts'
import type { Db } from '#server/store/database.ts'

/** The parts of a request that decide where it may read. */
export type Reader = Pick<FastifyRequest, 'watermark' | 'issuedWatermark' | 'viewer'>

/** The steps of a list: a replica finds what may be on the page, and the primary decides it. */
interface PageSteps<Found, Row> {
  /** Finds the page. Nothing of it is shown before `check`. */
  readonly find: (replica: Db) => Promise<readonly Found[]>
  /** Decides by the primary what was found, and leaves out what the list may not have, or not like this. */
  readonly check: (found: readonly Found[]) => Promise<Row[]>
  /** Reads the whole page from the primary. */
  readonly whole: () => Promise<Row[]>
}

export interface Reads {
  /**
   * Reads a page of a list. Where the primary removes something from what a replica has found, or no replica may serve the
   * person, the whole page is read from the primary.
   */
  page<Found, Row>(reader: Reader, steps: PageSteps<Found, Row>): Promise<Row[]>
  /** Reads a public number, which includes what the person has written. */
  number(reader: Reader, read: (db: Db) => Promise<number>): Promise<number>
  /**
   * Reads what every person has written until now, for a person who was notified of it. Later reads of the person include it
   * too.
   */
  present<T>(reader: Reader, read: (db: Db) => Promise<T>): Promise<T>
  /** Reads what is equal for all people, and may be some seconds old. */
  recent<T>(read: (db: Db) => Promise<T>): Promise<T>
}

/** Any replica, for reads without a person. */
const ANY = '0'

export function createReads(
  { db, replicas }: Pick<Database, 'db' | 'replicas'>,
  metrics: Pick<Metrics, 'replicaRead'>,
): Reads {
  if (!replicas) return readsOf(db)

  /** Runs a read on a replica; undefined means: read from the primary. */
  async function onReplica<T>(reader: Reader, read: (replica: Db) => Promise<T>) {
    const { watermark, viewer } = reader
    if (watermark === null || !viewer) {
      reader.issuedWatermark = 'present'
      metrics.replicaRead('new')
      return undefined
    }
    const done = await replicas?.read(watermark, read, { by: viewer.id })
    if (done?.is === 'read') return { value: done.value }
    metrics.replicaRead(done?.is ?? 'unavailable')
    return undefined
  }

  return {
    async page(reader, { find, check, whole }) {
      const found = await onReplica(reader, find)
      if (!found) return whole()
      const rows = await check(found.value)
      const isSame = rows.length === found.value.length
      metrics.replicaRead(isSame ? 'replica' : 'changed')
      return isSame ? rows : whole()
    },
    async number(reader, read) {
      const found = await onReplica(reader, read)
      if (!found) return read(db)
      metrics.replicaRead('replica')
      return found.value
    },
    async present(reader, read) {
      const position = await replicas.position()
      const by = reader.viewer?.id ?? ANY
      const done = await replicas.read(position, read, { by, soon: true })
      metrics.replicaRead(done.is === 'read' ? 'replica' : done.is)
      reader.issuedWatermark = done.is === 'read' ? position : 'present'
      return done.is === 'read' ? done.value : read(db)
    },
    async recent(read) {
      const done = await replicas.read(0n, read, { by: ANY })
      metrics.replicaRead(done.is === 'read' ? 'replica' : done.is)
      return done.is === 'read' ? done.value : read(db)
    },
  }
}

/** Without replicas everything is read from the only database. */
const readsOf = (db: Db): Reads => ({
  page: (_reader, { whole }) => whole(),
  number: (_reader, read) => read(db),
  present: (_reader, read) => read(db),
  recent: (read) => read(db),
})
