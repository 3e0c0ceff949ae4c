// The results of a measurement as rows, for the screen and for support. Pure.
import { dateTime, megabytes, number } from '#src/lib/format.ts'
import { uploadTestText } from './text.ts'
import type { MeasureEnd } from '#src/sw-bridge.ts'
import type { Abilities } from './abilities.ts'

const words = uploadTestText

export type Row = readonly [label: string, value: string]

export interface Measured extends MeasureEnd {
  /** When it ended, ms since 1970. */
  at: number
  /** Bytes that were to be sent. */
  size: number
  /** Median of several answers, ms; null when there was none. */
  roundTrip: number | null
}

/** The middle one; the lower of two. Null of none. */
export function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
}

export function resultRows(it: Measured): Row[] {
  const { rows } = words
  return [
    [rows.end, words.ends[it.is]],
    [rows.amount, words.sent(megabytes(it.sent), megabytes(it.size))],
    [rows.time, words.seconds(number(Math.round(it.ms / 100) / 10))],
    [
      rows.speed,
      it.sent === 0 ? words.unknown : words.perSecond(megabytes(it.sent / (Math.max(1, it.ms) / 1000))),
    ],
    [rows.retries, words.times(it.retries)],
    [rows.roundTrip, it.roundTrip === null ? words.unknown : words.milliseconds(Math.round(it.roundTrip))],
  ]
}

export function abilityRows(it: Abilities): Row[] {
  const { abilities } = words
  const can = (yes: boolean) => (yes ? words.yes : words.no)
  const { storage } = it
  const figure = (bytes: number | undefined) => (bytes === undefined ? words.unknown : megabytes(bytes))
  return [
    [abilities.worker, can(it.worker)],
    [abilities.sync, can(it.backgroundSync)],
    [abilities.push, can(it.push)],
    [abilities.notifications, it.notifications ? words.permission[it.notifications] : words.no],
    [abilities.persisted, storage ? (storage.persisted ? words.persistent : words.notPersistent) : words.no],
    [abilities.room, storage ? words.room(figure(storage.used), figure(storage.quota)) : words.unknown],
  ]
}

/** The whole as text for support. */
export function reportText(measured: Measured, abilities: Abilities, browser: string): string {
  const rows: Row[] = [
    [words.at, dateTime(measured.at)],
    ...resultRows(measured),
    ...abilityRows(abilities),
    [words.browser, browser],
  ]
  return [words.title, ...rows.map(([label, value]) => `${label}：${value}`)].join('\n')
}
