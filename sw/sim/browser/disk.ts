// The database of a browser profile: fake-indexeddb with the faults of real disks.
import type { DeviceSchema } from '#device/database/stores.ts'
import { SimBlob } from './bytes.ts'
import { programOfDatabase } from './program.ts'
import type { Random } from '#contract/testing/random.ts'
import { queueTask } from './tasks.ts'

type Module = typeof import('fake-indexeddb')
type Store = Exclude<keyof DeviceSchema & string, number>

/** The internal database of fake-indexeddb: read without a transaction, to inspect the stored rows. */
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
  /** Kills the page with the probability of the story. */
  maybeKill(): void
}

export interface DiskFaults {
  /** Probability that the browser aborts a transaction. */
  aborts: number
  /** Probability that a transaction ends because the connection to the database was lost. */
  losses: number
}

let databaseModule: Promise<Module> | undefined
const disks = new WeakMap<Raw, Disk>()

/** Loads fake-indexeddb with the task queue of the stories. */
export function loadDatabase(): Promise<Module> {
  databaseModule ??= programOfDatabase().then((run) => {
    const module = run({ globalThis: { setImmediate: queueTask }, structuredClone: copy })
    const { prototype } = module.IDBDatabase
    const transaction = prototype.transaction
    prototype.transaction = function (this: Connection, ...args: Parameters<typeof transaction>) {
      const disk = disks.get(this._rawDatabase)
      disk?.beforeTransaction(this)
      const tx = transaction.apply(this, args) as Transaction
      disk?.onTransaction(this, tx)
      return tx
    }
    return module
  })
  return databaseModule
}

/** Copies a row as a browser does. Blobs and buffers are shared, since no code changes them in place. */
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
  /** Whether writes fail for lack of room. */
  full = false
  /** Called for every committed transaction that may have written. */
  onCommit: (stores: readonly string[], durability: IDBTransactionDurability) => void = () => {}
  readonly #module: Module
  readonly #random: Random
  readonly faults: DiskFaults = { aborts: 0, losses: 0 }
  #factory: IDBFactory
  #connections: Connection[] = []
  /** Functions that undo the writes which a power cut loses, oldest first. */
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
        if (!owner.alive) this.#closeConnection(db, 'AbortError')
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
    db.owner?.maybeKill()
    // The page may have been killed by the line above.
    if (db.owner && !db.owner.alive) throw new DOMException('killed', 'InvalidStateError')
  }

  onTransaction(db: Connection, tx: Transaction): void {
    if (tx.mode === 'versionchange') return
    tx.addEventListener('complete', () => {
      if (tx.mode === 'readwrite') this.#commit(tx)
      db.owner?.maybeKill()
    })
    if (this.full && tx.mode === 'readwrite' && this.#random.chance(0.7))
      return this.#later(() => tx._state !== 'finished' && hasWritten(tx) && tx._abort('QuotaExceededError'))
    if (this.#random.chance(this.faults.aborts))
      return this.#later(() => tx._state !== 'finished' && tx._abort('AbortError'))
    if (this.#random.chance(this.faults.losses)) return this.#later(() => this.#loseConnection(db))
  }

  #later(work: () => void): void {
    const after = this.#random.between(0, 8)
    const step = (left: number) => queueTask(() => (left > 0 ? step(left - 1) : work()))
    step(after)
  }

  #commit(tx: Transaction): void {
    if (tx._rollbackLog.length === 0) return
    // A strict write also stores all writes before it.
    if (tx.durability === 'relaxed') this.#unsynced.push(...tx._rollbackLog)
    else this.#unsynced = []
    this.onCommit([...tx.objectStoreNames], tx.durability)
  }

  /** The connection of one page is lost, which aborts its transactions. */
  #loseConnection(db: Connection): void {
    if (db._closed || db._closePending) return
    this.#closeConnection(db, 'UnknownError')
    db.dispatchEvent(closeEvent(this.#module))
  }

  #closeConnection(db: Connection, error: string): void {
    this.#connections = this.#connections.filter((it) => it !== db)
    const raw = db._rawDatabase as Raw & { transactions: (Transaction & { db: unknown })[] }
    for (const tx of raw.transactions) if (tx.db === db && tx._state !== 'finished') abort(tx, error)
    db.close()
  }

  /** Aborts the transactions of a page that has ended. */
  onPageEnd(owner: Owner): void {
    for (const db of this.#connections.filter((it) => it.owner === owner))
      this.#closeConnection(db, 'AbortError')
  }

  /** Undoes the relaxed writes since the last strict one. Every page must have been killed before. */
  powerCut(): void {
    for (const undo of this.#unsynced.toReversed()) undo()
    this.#unsynced = []
    this.onCommit(['jobs', 'early'], 'strict')
  }

  /** Clears the data of the site, as a browser does to make room. */
  evict(): void {
    for (const db of this.#connections) this.#loseConnection(db)
    this.#connections = []
    this.#unsynced = []
    this.#factory = new this.#module.IDBFactory()
  }

  /** The stored rows, read without a transaction. */
  rows<S extends Store>(store: S): DeviceSchema[S]['value'][] {
    const factory = this.#factory as IDBFactory & { _databases: Map<string, Raw> }
    const found = factory._databases.get(NAME)?.rawObjectStores.get(store)
    return found ? [...found.records.values()].map((it) => it.value as DeviceSchema[S]['value']) : []
  }
}

/** Whether a transaction has written, for which it needs room. */
const hasWritten = (tx: Transaction): boolean => tx._rollbackLog.length > 0

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
