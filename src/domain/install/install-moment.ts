// When installing may be offered: on a later visit, and not soon after a refusal. Pure.
import * as v from 'valibot'

export const installNote = v.object({
  /** The last days the app was used on, as dates. */
  days: v.array(v.string()),
  /** How often it was put off, and when last, ms since 1970. */
  dismissed: v.number(),
  dismissedAt: v.number(),
})
export type InstallNote = v.InferOutput<typeof installNote>

export const noInstallNote: InstallNote = { days: [], dismissed: 0, dismissedAt: 0 }

const DAY = 24 * 3600 * 1000
/** Put off once, it is offered again after a month; then after three; then never. */
const PATIENCE = [30 * DAY, 90 * DAY] as const

/** @param day today, as a date */
export function notedDay(note: InstallNote, day: string): InstallNote {
  return note.days.includes(day) ? note : { ...note, days: [...note.days, day].slice(-2) }
}

export function putOff(note: InstallNote, now: number): InstallNote {
  return { ...note, dismissed: note.dismissed + 1, dismissedAt: now }
}

/** Whether the app was used on a second day, and enough time has passed since it was put off. */
export function isGoodMoment({ days, dismissed, dismissedAt }: InstallNote, now: number): boolean {
  if (days.length < 2) return false
  if (dismissed === 0) return true
  const wait = PATIENCE[dismissed - 1]
  return wait !== undefined && now - dismissedAt >= wait
}
