// Decides when the app offers its installation. Pure.
import * as v from 'valibot'

export const installNote = v.object({
  /** The last two days of use, as dates. */
  days: v.array(v.string()),
  /** How often the offer was dismissed, and when last, ms since 1970. */
  dismissed: v.number(),
  dismissedAt: v.number(),
})
export type InstallNote = v.InferOutput<typeof installNote>

export const noInstallNote: InstallNote = { days: [], dismissed: 0, dismissedAt: 0 }

const DAY = 24 * 3600 * 1000
/** Waits after the first and second dismissal; after a third it is not offered again. */
const WAITS = [30 * DAY, 90 * DAY] as const

/** @param day today, as a date */
export function noteDay(note: InstallNote, day: string): InstallNote {
  return note.days.includes(day) ? note : { ...note, days: [...note.days, day].slice(-2) }
}

export function dismissOffer(note: InstallNote, now: number): InstallNote {
  return { ...note, dismissed: note.dismissed + 1, dismissedAt: now }
}

/** Whether the app was used on two days and the wait after a dismissal is over. */
export function mayOfferInstall({ days, dismissed, dismissedAt }: InstallNote, now: number): boolean {
  if (days.length < 2) return false
  if (dismissed === 0) return true
  const wait = WAITS[dismissed - 1]
  return wait !== undefined && now - dismissedAt >= wait
}
