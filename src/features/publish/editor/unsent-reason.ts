// The reason why a press of 投稿 sent nothing, other than errors of the form.

export type UnsentReason =
  /** The device has no room. */
  | 'full'
  /** Another tab changed the draft, and this one shows that now. */
  | 'changed'
  /** Another tab changed the same fields: the person has to choose first. */
  | 'conflict'
  /** A newer version of the app has the database. */
  | 'outdated'
  /** An older version of the app, in another tab, keeps the database. */
  | 'blocked'
  /** Another tab posted the draft; what this one showed is a new draft. */
  | 'forked'
  | 'failed'

/** The reason behind an error of the device's database. */
export function whyOf(error: unknown): UnsentReason {
  if (!(error instanceof DOMException)) return 'failed'
  if (error.name === 'QuotaExceededError') return 'full'
  if (error.name === 'VersionError') return 'outdated'
  return error.name === 'TimeoutError' ? 'blocked' : 'failed'
}
