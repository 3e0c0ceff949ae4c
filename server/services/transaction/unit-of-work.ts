// Runs a unit of work: one transaction, and the effects that follow its commit.
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import type { Realtime } from '#server/adapters/realtime/realtime.ts'
import { isRolledBack, OutcomeUnknown } from '#server/adapters/database/outcome.ts'
import type { Db } from '#server/store/database.ts'
import type { JobData, JobName, Jobs } from '#server/store/jobs.ts'
import { type AuditingUnit, type AuditPorts, waitingEntries } from './audit.ts'

export { OutcomeUnknown } from '#server/adapters/database/outcome.ts'

export interface Delay {
  readonly seconds: number
  /** Of the jobs of one kind that are enqueued within the same `seconds`, only one is added. */
  readonly once?: true
}

/** A message, or a function that reads one or more after the commit, outside the transaction. */
type Published = LiveMessage | ((db: Db) => Promise<LiveMessage | readonly LiveMessage[]>)

/** The functions that code calls inside a transaction; they may be destructured. */
export interface UnitOfWork extends AuditingUnit {
  /** The open transaction. Queries through another connection do not see its changes. */
  readonly tx: Db
  /** Adds a job. It starts after the commit: at once, or after the delay. */
  readonly enqueue: <N extends JobName>(name: N, data: JobData[N], delay?: Delay) => Promise<void>
  /** Adds many jobs of one kind by one statement. */
  readonly enqueueMany: <N extends JobName>(name: N, data: readonly JobData[N][]) => Promise<void>
  /** Wakes the workers of a kind after the commit, for jobs that a statement made due. */
  readonly wake: (name: JobName) => void
  /** Publishes a message after the commit. */
  readonly publish: (message: Published) => void
  /** Closes live connections, or ends their channel authorizations, after the commit. */
  readonly endConnections: (ending: Ending) => void
}

/**
 * Commits what `work` writes, then wakes the workers of its jobs and publishes, in the order of the calls. An error
 * after the commit is reported and stops no other effect.
 * @returns what `work` returns
 * @throws what `work` throws; then nothing is written, enqueued, published or ended
 * @throws OutcomeUnknown if the reply to COMMIT is lost: all of it may be written and enqueued
 */
export type Transaction<Unit> = <T>(work: (unit: Unit) => Promise<T>) => Promise<T>

export interface TransactionPorts {
  readonly db: Db
  readonly jobs: Pick<Jobs, 'enqueue' | 'enqueueOnce' | 'enqueueMany' | 'wake'>
  readonly realtime: Pick<Realtime, 'publish' | 'end'>
  readonly audit: AuditPorts
  /** Reports what failed after a commit. */
  readonly onError: (error: Error) => void
}

/** @param extend adds what services of higher floors do inside a unit of work */
export function createTransaction<Extension extends object>(
  ports: TransactionPorts,
  extend: (unit: UnitOfWork) => Extension,
): Transaction<UnitOfWork & Extension> {
  return async (work) => {
    const effects = createEffects(ports)
    let isWorkDone = false
    const transacted = ports.db.transaction(async (tx) => {
      const { audit, write } = waitingEntries(ports.audit)
      const unit: UnitOfWork = { ...unitOf(tx, ports.jobs, effects), audit }
      const done = await work({ ...unit, ...extend(unit) })
      await write(tx)
      isWorkDone = true
      return done
    })
    const result = await transacted.catch((error: unknown) => {
      throw isWorkDone && !isRolledBack(error) ? new OutcomeUnknown(error) : error
    })
    await effects.run()
    return result
  }
}

function unitOf(
  tx: Db,
  jobs: TransactionPorts['jobs'],
  effects: Effects,
): Omit<UnitOfWork, keyof AuditingUnit> {
  return {
    tx,
    async enqueue(name, data, delay) {
      if (delay?.once) return jobs.enqueueOnce(tx, name, data, delay.seconds)
      await jobs.enqueue(tx, name, data, delay?.seconds)
      if (delay === undefined) effects.wake(name)
    },
    async enqueueMany(name, data) {
      if (data.length === 0) return
      await jobs.enqueueMany(tx, name, data)
      effects.wake(name)
    },
    wake: effects.wake,
    publish: effects.publish,
    endConnections: effects.endConnections,
  }
}

/** Effects that wait for the commit. */
interface Effects extends Pick<UnitOfWork, 'publish' | 'endConnections'> {
  readonly wake: (name: JobName) => void
  /** Performs all effects once; called after the commit. */
  readonly run: () => Promise<void>
}

type Live =
  | { readonly is: 'message'; readonly message: Published }
  | { readonly is: 'ending'; readonly ending: Ending }

function createEffects({ db, jobs, realtime, onError }: TransactionPorts): Effects {
  const names = new Set<JobName>()
  const live: Live[] = []
  const attempt = async (effect: () => void | Promise<void>): Promise<void> => {
    try {
      await effect()
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const read = async (it: Published) => (typeof it === 'function' ? it(db) : it)
  return {
    wake: (name) => void names.add(name),
    publish: (message) => void live.push({ is: 'message', message }),
    endConnections: (ending) => void live.push({ is: 'ending', ending }),
    async run() {
      for (const name of names) await attempt(() => jobs.wake(name))
      for (const run of runsOf(live))
        if (run.is === 'endings') await attempt(() => realtime.end(run.endings))
        else await attempt(async () => realtime.publish((await Promise.all(run.messages.map(read))).flat()))
    },
  }
}

type Run =
  | { readonly is: 'messages'; readonly messages: Published[] }
  | { readonly is: 'endings'; readonly endings: Ending[] }

/** Groups consecutive effects of one kind, which go out in one call. */
function runsOf(live: readonly Live[]): Run[] {
  const runs: Run[] = []
  for (const it of live) {
    const last = runs.at(-1)
    if (it.is === 'message') {
      if (last?.is === 'messages') last.messages.push(it.message)
      else runs.push({ is: 'messages', messages: [it.message] })
    } else if (last?.is === 'endings') last.endings.push(it.ending)
    else runs.push({ is: 'endings', endings: [it.ending] })
  }
  return runs
}
