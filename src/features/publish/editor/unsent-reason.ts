// Reasons why a submission failed, other than errors of the form.

export type UnsentReason =
  /** The device has no room. */
  | 'full'
  /** Another tab changed the draft, and this one now shows the change. */
  | 'changed'
  /** Another tab changed the same fields, so that the person has to choose first. */
  | 'conflict'
  /** A newer version of the app has upgraded the database. */
  | 'outdated'
  /** A tab with an older version of the app holds the database open. */
  | 'blocked'
  /** Another tab posted the draft; this tab's changes are a new draft. */
  | 'forked'
  | 'failed'

/** The reason for an error of the device's database. */
export function reasonOf(error: unknown): UnsentReason {
  if (!(error instanceof DOMException)) return 'failed'
  if (error.name === 'QuotaExceededError') return 'full'
  if (error.name === 'VersionError') return 'outdated'
  return error.name === 'TimeoutError' ? 'blocked' : 'failed'
}
