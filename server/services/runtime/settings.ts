// Settings at runtime: read from the database, remembered, and with defaults.
import * as v from 'valibot'
import {
  limitBounds,
  type LimitName,
  limitNames,
  type RegistrationMode,
} from '#contract/administration/runtime-names.ts'
import { type Bar, settingChange } from '#contract/administration/runtime-settings.ts'
import { noLimits, type Limits } from '#server/http/limits.ts'
import type { Db } from '#server/store/database.ts'
import { readSettings } from '#server/store/staff/runtime-settings.ts'
import type { UploadLimits } from '#server/services/uploads/quota.ts'
import { withTimeLimit } from './time-limit.ts'

export interface RuntimeValues {
  readonly registration: RegistrationMode
  /** Also before its time and after it. */
  readonly bar: Bar | null
  /** What applies; infinite where the environment has turned the limit off. */
  readonly limits: Readonly<Record<LimitName, number>>
  /** Limits that an admin has set; the others have their default. */
  readonly set: Readonly<Partial<Record<LimitName, number>>>
}

export interface Runtime {
  /**
   * The values that apply. It never throws: while the database does not reply they are the last known ones, and before the first
   * reply the defaults. Not inside a transaction: it reads by another connection.
   */
  values(): Promise<RuntimeValues>
  /** Limits of stored and unfinished uploads. As `values`. */
  uploadLimits(): Promise<UploadLimits>
  /** Reads the values again at the next call, after this process has changed one. */
  forget(): void
  readonly usual: RuntimeValues
}

/** Values are read again after this, ms; with the time limit every process has a change within five seconds. */
export const FRESH = 3000
/** The time limit of a reading, ms. */
export const READ_TIME = 1000

const GiB = 1024 ** 3

interface DefaultSettings {
  readonly limits: Limits
  readonly uploadsPerPerson: UploadLimits
}

/** Defaults: those of the environment where it has a variable, else those of the table. */
export function usualValues({ limits, uploadsPerPerson }: DefaultSettings): RuntimeValues {
  const all = Object.fromEntries(limitNames.map((name) => [name, limitBounds[name].usual])) as Record<
    LimitName,
    number
  >
  // RATE_LIMITS=0 turns limits of numbers off, until an admin sets one.
  if (limits === noLimits)
    for (const name of limitNames) if (name.includes('_per_')) all[name] = Number.POSITIVE_INFINITY
  all.unfinished_uploads = uploadsPerPerson.count
  all.stored_gib = uploadsPerPerson.stored / GiB
  return { registration: 'open', bar: null, limits: all, set: {} }
}

/** Stored values over the defaults. A stored value that this version cannot read counts as not set. */
export function valuesOf(stored: ReadonlyMap<string, unknown>, usual: RuntimeValues): RuntimeValues {
  const read = <K extends keyof typeof settingChange.entries>(name: K) => {
    const parsed = v.safeParse(settingChange.entries[name], stored.get(name))
    return parsed.success ? (parsed.output ?? undefined) : undefined
  }
  const set = Object.fromEntries(
    limitNames.flatMap((name) => {
      const value = read(name)
      return typeof value === 'number' ? [[name, value]] : []
    }),
  )
  return {
    registration: read('registration') ?? usual.registration,
    bar: read('bar') ?? null,
    limits: { ...usual.limits, ...set },
    set,
  }
}

interface Ports {
  readonly db: Db
  readonly settings: DefaultSettings
  /** Milliseconds since any moment, which go on by themselves. */
  readonly elapsed?: () => number
  readonly read?: typeof readSettings
}

export function createRuntime({
  db,
  settings,
  elapsed = () => performance.now(),
  read = readSettings,
}: Ports): Runtime {
  const usual = usualValues(settings)
  let known = usual
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  // A reading that began before a change of this process must not be remembered after it.
  let version = 0
  const refresh = async () => {
    const mine = version
    try {
      const stored = await withTimeLimit(read(db), READ_TIME)
      if (mine === version) known = valuesOf(stored, usual)
    } catch {
      // The last known values stay.
    }
    if (mine === version) readAt = elapsed()
  }
  const values = async () => {
    if (elapsed() - readAt >= FRESH) {
      reading ??= refresh().finally(() => (reading = undefined))
      await reading
    }
    return known
  }
  return {
    values,
    usual,
    async uploadLimits() {
      const { set } = await values()
      const { uploadsPerPerson: usualUploads } = settings
      return {
        ...usualUploads,
        count: set.unfinished_uploads ?? usualUploads.count,
        stored: set.stored_gib === undefined ? usualUploads.stored : set.stored_gib * GiB,
      }
    },
    forget() {
      version += 1
      readAt = Number.NEGATIVE_INFINITY
      reading = undefined
    },
  }
}
