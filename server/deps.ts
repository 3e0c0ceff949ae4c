// Composes the dependencies of modules: database, files, jobs, clock, and others.
import path from 'node:path'
import { type BankDirectory, createBankDirectory } from './adapters/banks/bank-directory.ts'
import { type Counts, createMemoryCounts } from './adapters/counts.ts'
import { type EventLoop, openEventLoop } from './adapters/event-loop.ts'
import type { Database } from './adapters/database/database.ts'
import { type DiskRoom, createDiskRoom } from './adapters/files/disk-room.ts'
import type { Mailer } from './adapters/mail/relay.ts'
import { createMailFolder, type MailFolder } from './adapters/mail/folder.ts'
import type { MediaMaker } from './adapters/media/maker.ts'
import type { SandboxFinder } from './adapters/media/sandbox/finder.ts'
import { noPlaces, type Places } from './adapters/geoip.ts'
import { createMeters, type Meters } from './adapters/meters.ts'
import { type Metrics, noMetrics } from './adapters/metrics/metrics.ts'
import { recordMails } from './adapters/metrics/recorded.ts'
import type { Traces } from './adapters/traces/traces.ts'
import type { GivenKeys } from './adapters/master-keys.ts'
import { createPasswords, type Passwords } from './adapters/passwords.ts'
import type { PaymentProvider } from './adapters/payments/provider.ts'
import { type PaymentProviders, providersOf } from './services/payments/providers.ts'
import { type Push, openPush } from './adapters/push/push.ts'
import { recordCalls } from './adapters/payments/recorded.ts'
import { recordPushes } from './adapters/push/recorded.ts'
import type { Realtime } from './adapters/realtime/realtime.ts'
import type { RedisState } from './adapters/redis.ts'
import type { S3Settings } from './adapters/s3/client.ts'
import type { Secrets } from './adapters/secrets.ts'
import { type SealedFiles, createSealedFiles } from './adapters/files/sealed-files.ts'
import type { Sniffed } from '#contract/kinds/kind.ts'
import { sniffBytes } from '#contract/kinds/sniff.ts'
import { sniff } from './adapters/files/sniff.ts'
import type { ObjectKey } from './adapters/files/object-store.ts'
import { openStorage, type Storage } from './adapters/files/storage.ts'
import { loadVapid } from './adapters/push/vapid.ts'
import { type Every, everyNow } from './adapters/intervals.ts'
import { LocalUploadLocks, type UploadLocks } from './adapters/files/upload-locks.ts'
import { type UploadFactsPort, UploadStore } from './adapters/files/upload-store.ts'
import type { Transaction } from './services/transaction/unit-of-work.ts'
import type { AuditEntry } from '#contract/administration/audit-acts.ts'
import { givenRealtime } from './env/realtime.ts'
import { type Keys, openKeys } from './services/keys/open-keys.ts'
import { uploadPartsIn } from './services/uploads/upload-parts.ts'
import { createRelayWatch, type RelayWatch } from './services/runtime/relay-watch.ts'
import { createRuntime, type Runtime } from './services/runtime/settings.ts'
import { keepForBackups } from './services/backup/kept-objects.ts'
import { createReads, type Reads } from './services/replicas/reads.ts'
import { createOutbox, type Outbox } from './services/email/outbox.ts'
import { openPaymentProviders } from './services/payments/open-provider.ts'
import type { Db } from './store/database.ts'
import { type Jobs, openJobs } from './store/jobs.ts'
import { openMedia } from './open-media.ts'
import type { Settings } from './settings.ts'
import { transactionOf, type Unit } from './unit.ts'

export type { Unit } from './unit.ts'
export type { UploadHold } from './adapters/files/upload-locks.ts'
export type { SocketServer } from './adapters/realtime/realtime.ts'

export interface Deps extends Keys {
  readonly settings: Settings
  readonly database: Database
  readonly db: Db
  readonly storage: Storage
  readonly jobs: Jobs
  readonly realtime: Realtime
  readonly push: Push
  readonly paymentProviders: PaymentProviders
  /** Reads of lists and public numbers, which a replica may serve. */
  readonly reads: Reads
  /** The only way to write in a transaction, enqueue jobs, send emails, notify, audit and publish. */
  readonly transaction: Transaction<Unit>
  /** Writes one audit entry in a transaction of its own, for what changes nothing else. */
  readonly audit: (entry: AuditEntry) => Promise<void>
  /** Settings that admins change while the servers run. */
  readonly runtime: Runtime
  readonly banks: BankDirectory
  readonly passwords: Passwords
  readonly counts: Counts
  readonly sealed: SealedFiles
  /** Queued emails; `email` of a unit of work adds them. */
  readonly outbox: Omit<Outbox, 'add'>
  readonly places: Places
  readonly mailer: Mailer
  /** Undefined without a relay. */
  readonly mailRelay: RelayWatch | undefined
  /** The folder for emails, if there is no relay. */
  readonly mailFolder: MailFolder | undefined
  readonly mediaMaker: MediaMaker
  /** The sandbox of processes that decode uploads; undefined in a server that makes no media. */
  readonly mediaSandbox: SandboxFinder | undefined
  /** Whether media are refused where no sandbox works. */
  readonly refusesUnconfined: boolean
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly every: Every
  readonly eventLoop: EventLoop
  /** What this process measures of itself. */
  readonly meters: Meters
  /** What this process counts for Prometheus. */
  readonly metrics: Metrics
  /** Undefined where tracing is off. */
  readonly traces: Traces | undefined
  /** Undefined without one. */
  readonly redis: RedisState | undefined
  readonly sniff: (file: string) => Promise<Sniffed | undefined>
  /** The kind of an object, of which few bytes are read. @throws NoObject */
  readonly sniffObject: (key: ObjectKey) => Promise<Sniffed | undefined>
  readonly uploadStore: (facts: UploadFactsPort) => UploadStore
  readonly uploadLocks: UploadLocks
  /** `now`: it refuses new requests. `soon`: it serves them, but a load balancer should send it none. */
  readonly draining: { now: boolean; soon: boolean }
  /** Own address once the server listens, such as `http://127.0.0.1:8787`; '' before. */
  readonly listening: { at: string }
  close(): Promise<void>
}

export interface Parts {
  readonly settings: Settings
  readonly database: Database
  readonly dataDir: string
  readonly clock?: () => number
  readonly every?: Every
  readonly passwords?: Passwords
  readonly places?: Places
  /** Shared with other servers; by default of this process only. */
  readonly counts?: Counts
  readonly uploadLocks?: UploadLocks
  readonly redis?: RedisState | undefined
  /** By default a key in the data folder. */
  readonly masterKeys?: Partial<GivenKeys>
  readonly mediaMaker?: MediaMaker
  readonly room?: DiskRoom
  readonly s3?: S3Settings | undefined
  /** Where objects were before, while they are moved. */
  readonly objectsFrom?: 'disk' | 's3' | undefined
  /** By default that of this machine. */
  readonly mediaSandbox?: SandboxFinder
  /** Whether this process runs jobs, which make media; by default it does. */
  readonly makesMedia?: boolean
  /** Whether media are refused where no sandbox works. */
  readonly refusesUnconfined?: boolean
  /** How the kind of a file is recognised; another one only in tests. */
  readonly sniff?: Deps['sniff']
  readonly push?: Push
  /** The provider of new payments; by default those of the settings. */
  readonly paymentProvider?: PaymentProvider
  /** By default this process is the server of live connections. */
  readonly realtime?: Realtime | ((secrets: Secrets) => Realtime)
  readonly eventLoop?: EventLoop
  /** By default nothing is counted. */
  readonly metrics?: Metrics
  /** By default tracing is off. */
  readonly traces?: Traces | undefined
  /** A mail relay; by default emails stay in the data folder. */
  readonly mailer?: Mailer | undefined
  readonly onError?: (error: Error) => void
  /** How often due recurring jobs are checked, s. */
  readonly scheduleCheckSeconds?: number
  /** A job whose process dies runs again about this many seconds later. */
  readonly jobLeaseSeconds?: number
}

/** Composes the dependencies of an open database and a data folder. */
export async function assemble(parts: Parts): Promise<Deps> {
  const { database, onError = () => undefined, clock = Date.now, every = everyNow } = parts
  const storage = await openStorageOf(parts, clock)
  const keys = await openKeys(database.db, parts.dataDir, parts.masterKeys ?? {})
  const { secrets } = keys
  const measured = await openMeasured(parts, clock, secrets)
  const media = await openMedia(parts, storage, measured)
  const jobs = await openJobsOf(parts, onError)
  const realtime = givenRealtime(parts.realtime, { secrets, clock, every })
  const eventLoop = parts.eventLoop ?? openEventLoop()
  const mailFolder = createMailFolder(path.join(parts.dataDir, 'mail'), clock)
  const mailer = recordMails(parts.mailer ?? mailFolder, measured.metrics)
  const outbox = createOutbox(secrets, clock)
  const transaction = transactionOf({ db: database.db, jobs, realtime, clock, secrets, outbox, onError })
  return {
    settings: parts.settings,
    database,
    db: database.db,
    storage,
    jobs,
    realtime,
    ...measured,
    transaction,
    reads: createReads(database, measured.metrics),
    audit: (entry) => transaction(async (unit) => unit.audit(entry)),
    runtime: createRuntime({ db: database.db, settings: parts.settings }),
    banks: createBankDirectory(),
    passwords: parts.passwords ?? createPasswords(),
    counts: parts.counts ?? createMemoryCounts(clock),
    ...keys,
    sealed: createSealedFiles(secrets, storage.objects),
    outbox,
    places: parts.places ?? noPlaces,
    mailer,
    // Not `clock`: that of a test does not advance by itself.
    mailRelay: mailer.check && createRelayWatch({ check: mailer.check, clock: Date.now }),
    mailFolder: parts.mailer ? undefined : mailFolder,
    ...media,
    clock,
    every,
    eventLoop,
    redis: parts.redis,
    ...sniffers(parts.sniff, storage),
    uploadStore: (facts) => new UploadStore(facts, storage),
    uploadLocks: parts.uploadLocks ?? new LocalUploadLocks(),
    draining: { now: false, soon: false },
    listening: { at: '' },
    async close() {
      media.mediaMaker.close()
      eventLoop.close()
      await jobs.stop()
      await realtime.close()
      measured.push.close()
      mailer.close()
      await database.close()
      await parts.traces?.close()
    },
  }
}

const openJobsOf = (parts: Parts, onError: (error: Error) => void): Promise<Jobs> =>
  openJobs(parts.database, onError, {
    checkSeconds: parts.scheduleCheckSeconds,
    leaseSeconds: parts.jobLeaseSeconds,
    traces: parts.traces,
  })

async function openStorageOf(parts: Parts, clock: () => number): Promise<Storage> {
  const { dataDir, database, room, s3, metrics = noMetrics, traces } = parts
  const { minFreeDisk, backupDays = 0 } = parts.settings
  const storage = await openStorage(dataDir, {
    shared: database.kind === 'postgres',
    room: room ?? createDiskRoom(dataDir, minFreeDisk),
    s3,
    parts: uploadPartsIn(database.db),
    movedFrom: parts.objectsFrom,
    observers: { metrics, traces },
  })
  const ports = { db: database.db, clock, backupDays }
  return { ...storage, objects: keepForBackups(storage.objects, ports) }
}

/** Push and payments, whose results the meters of this process count, and what else watches it. */
async function openMeasured(
  { push: given, paymentProvider, settings, dataDir, database, metrics = noMetrics, traces }: Parts,
  clock: () => number,
  secrets: Secrets,
): Promise<Pick<Deps, 'push' | 'paymentProviders' | 'meters' | 'metrics' | 'traces'>> {
  if (traces) database.trace(traces)
  const subject = 'mailto:operator@todoke.example'
  const openedPush = given ?? openPush({ keys: await loadVapid(dataDir), subject })
  const { push, results } = recordPushes(openedPush)
  const opened = paymentProvider
    ? { current: paymentProvider, earlier: [] }
    : openPaymentProviders(settings.payments, { db: database.db, secrets, clock })
  const current = opened.current && recordCalls(opened.current, clock)
  const earlier = opened.earlier.map((it) => recordCalls(it, clock))
  const calls = [...(current ? [current] : []), ...earlier].map((it) => it.calls)
  return {
    push,
    paymentProviders: providersOf(
      current?.provider,
      earlier.map((it) => it.provider),
    ),
    metrics,
    traces,
    meters: createMeters(results, {
      failed: () => calls.map((it) => it.failed()).find((it) => it !== undefined),
    }),
  }
}

/** @param given recognises files in place of the product's own way */
function sniffers(given: Parts['sniff'], { objects }: Storage): Pick<Deps, 'sniff' | 'sniffObject'> {
  if (given) return { sniff: given, sniffObject: (key) => objects.withLocal(key, given) }
  return { sniff, sniffObject: (key) => objects.withBytes(key, sniffBytes) }
}
