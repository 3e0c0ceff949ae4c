// A browser profile's databases: fake-indexeddb with the faults of real disks.
import type { DeviceSchema } from '#device/database/stores.ts'
import { SimBlob } from './bytes.ts'
import { programOfDatabase } from './program.ts'
import type { Random } from '#contract/testing/random.ts'
import { queueTask } from './tasks.ts'

type Module = typeof import('fake-indexeddb')
type Store = Exclude<keyof DeviceSchema & string, number>

/** What fake-indexeddb keeps behind a connection: read without a transaction, to inspect what is stored. */
interface Raw {
  version: number
  connections: Connection[]
  rawObjectStores: Map<string, { records: { values(): Iterable<{ value: unknown }> } }>
}
export interface Transaction extends IDBTransaction {
  _state: string
  _rollbackLog: (() => void)[]
  _abort(name: string | null): void
}
interface Connection extends IDBDatabase {
  _rawDatabase: Raw
  _closed: boolean
  _closePending: boolean
  owner?: Owner
}

/** A page or worker that opens the database. */
export interface Owner {
  readonly alive: boolean
  /** A moment at which the page may be killed. */
  moment(): void
}

export interface DiskFaults {
  /** Probability that the browser aborts a transaction. */
  aborts: number
  /** Probability that a transaction ends because the connection to the database was lost. */
  losses: number
}

let program: Promise<Module> | undefined
const disks = new WeakMap<Raw, Disk>()

/** Loads fake-indexeddb under the tasks of the stories. */
export function loadDatabase(): Promise<Module> {
  program ??= programOfDatabase().then((run) => {
    const module = run({ globalThis: { setImmediate: queueTask }, structuredClone: copy })
    const { prototype } = module.IDBDatabase
    const transaction = prototype.transaction
    prototype.transaction = function (this: Connection, ...given: Parameters<typeof transaction>) {
      const disk = disks.get(this._rawDatabase)
      disk?.beforeTransaction(this)
      const tx = transaction.apply(this, given) as Transaction
      disk?.watch(this, tx)
      return tx
    }
    return module
  })
  return program
}

/** Rows as a browser copies them; blobs and buffers, which nothing changes in place, are handed over. */
function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof SimBlob || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value
  if (Array.isArray(value)) return value.map(copy) as T
  if (value instanceof Date) return new Date(value) as T
  const proto: unknown = Object.getPrototypeOf(value)
  if (proto !== Object.prototype && proto !== null) throw new DOMException('not cloneable', 'DataCloneError')
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, copy(it)])) as T
}

const NAME = 'todoke'

export class Disk {
  /** Writes find no room. */
  full = false
  /** Called for every committed transaction that may have written. */
  committed: (stores: readonly string[], durability: IDBTransactionDurability) => void = () => {}
  readonly #module: Module
  readonly #random: Random
  readonly faults: DiskFaults = { aborts: 0, losses: 0 }
  #factory: IDBFactory
  #connections: Connection[] = []
  /** How to undo what a power cut would lose, oldest first. */
  #unsynced: (() => void)[] = []

  constructor(module: Module, random: Random) {
    this.#module = module
    this.#random = random
    this.#factory = new module.IDBFactory()
  }

  /** The globals of IndexedDB for one page. */
  globalsFor(owner: Owner): Record<string, unknown> {
    const { IDBKeyRange, IDBDatabase, IDBObjectStore, IDBIndex, IDBCursor, IDBTransaction, IDBRequest } =
      this.#module
    const open = (name: string, version: number): IDBOpenDBRequest => {
      if (!owner.alive) return new this.#module.IDBOpenDBRequest()
      const request = this.#factory.open(name, version)
      const adopt = () => {
        const db = request.result as Connection
        db.owner = owner
        disks.set(db._rawDatabase, this)
        if (!this.#connections.includes(db)) this.#connections.push(db)
        if (!owner.alive) this.#end(db, 'AbortError')
      }
      request.addEventListener('upgradeneeded', adopt)
      request.addEventListener('success', adopt)
      return request
    }
    const indexedDB = { open, cmp: (a: unknown, b: unknown) => this.#factory.cmp(a, b) }
    return {
      indexedDB,
      IDBKeyRange,
      IDBDatabase,
      IDBObjectStore,
      IDBIndex,
      IDBCursor,
      IDBTransaction,
      IDBRequest,
    }
  }

  beforeTransaction(db: Connection): void {
    db.owner?.moment()
    // A page that was killed a moment ago gets no further.
    if (db.owner && !db.owner.alive) throw new DOMException('killed', 'InvalidStateError')
  }

  watch(db: Connection, tx: Transaction): void {
    if (tx.mode === 'versionchange') return
    tx.addEventListener('complete', () => {
      if (tx.mode === 'readwrite') this.#commit(tx)
      db.owner?.moment()
    })
    if (this.full && tx.mode === 'readwrite' && this.#random.chance(0.7))
      return this.#later(() => tx._state !== 'finished' && writes(tx) && tx._abort('QuotaExceededError'))
    if (this.#random.chance(this.faults.aborts))
      return this.#later(() => tx._state !== 'finished' && tx._abort('AbortError'))
    if (this.#random.chance(this.faults.losses)) return this.#later(() => this.#lose(db))
  }

  #later(work: () => void): void {
    const after = this.#random.between(0, 8)
    const step = (left: number) => queueTask(() => (left > 0 ? step(left - 1) : work()))
    step(after)
  }

  #commit(tx: Transaction): void {
    if (tx._rollbackLog.length === 0) return
    // A strict write is on the disk together with all before it.
    if (tx.durability === 'relaxed') this.#unsynced.push(...tx._rollbackLog)
    else this.#unsynced = []
    this.committed([...tx.objectStoreNames], tx.durability)
  }

  /** The connection of one page ends by itself: its transactions with it. */
  #lose(db: Connection): void {
    if (db._closed || db._closePending) return
    this.#end(db, 'UnknownError')
    db.dispatchEvent(closeEvent(this.#module))
  }

  #end(db: Connection, error: string): void {
    this.#connections = this.#connections.filter((it) => it !== db)
    const raw = db._rawDatabase as Raw & { transactions: (Transaction & { db: unknown })[] }
    for (const tx of raw.transactions) if (tx.db === db && tx._state !== 'finished') abort(tx, error)
    db.close()
  }

  /** A page is gone: what it had not committed is undone. */
  killed(owner: Owner): void {
    for (const db of this.#connections.filter((it) => it.owner === owner)) this.#end(db, 'AbortError')
  }

  /** The power is cut: relaxed writes since the last strict one are lost. Every page must have been killed before. */
  powerCut(): void {
    for (const undo of this.#unsynced.toReversed()) undo()
    this.#unsynced = []
    this.committed(['jobs', 'early'], 'strict')
  }

  /** The browser clears the site's data. */
  evict(): void {
    for (const db of this.#connections) this.#lose(db)
    this.#connections = []
    this.#unsynced = []
    this.#factory = new this.#module.IDBFactory()
  }

  /** What is stored, without a transaction. */
  rows<S extends Store>(store: S): DeviceSchema[S]['value'][] {
    const factory = this.#factory as IDBFactory & { _databases: Map<string, Raw> }
    const found = factory._databases.get(NAME)?.rawObjectStores.get(store)
    return found ? [...found.records.values()].map((it) => it.value as DeviceSchema[S]['value']) : []
  }
}

/** Only what writes needs room. */
const writes = (tx: Transaction): boolean => tx._rollbackLog.length > 0

function abort(tx: Transaction, error: string): void {
  tx._abort(error)
  if (error === 'UnknownError' && tx.error)
    Object.defineProperty(tx, 'error', {
      value: new DOMException('Connection to Indexed Database server lost', 'UnknownError'),
    })
}

function closeEvent({ IDBVersionChangeEvent }: Module): Event {
  return new IDBVersionChangeEvent('close')
}
