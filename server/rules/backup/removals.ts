// When stored objects that are not needed any more are removed.

const DAY = 24 * 3600_000

/** Days that a removal waits beyond the age of the oldest backup: one until old backups are deleted, one for a restore. */
const MARGIN_DAYS = 2

/** An object that its rows do not need any more. */
export interface Unneeded {
  readonly prefix: 'uploads' | 'identity-uploads' | 'media' | 'identity' | 'exports' | 'erasures'
  /** Of an upload with a row. */
  readonly upload?: {
    readonly isFinished: boolean
    /** Whether it was sent for an identity check, and is not encrypted. */
    readonly isDocument: boolean
  }
}

/**
 * Documents of identity checks are removed at once, and so are uploads without their last byte, which no backup lists.
 * @param backupDays how long backups are retained; 0: there are none
 * @returns milliseconds since 1970; undefined: at once
 */
export function removalDue(
  { prefix, upload }: Unneeded,
  backupDays: number,
  now: number,
): number | undefined {
  const isForBackups = prefix === 'uploads' || prefix === 'media' || prefix === 'exports'
  if (backupDays === 0 || !isForBackups) return undefined
  if (upload && (upload.isDocument || !upload.isFinished)) return undefined
  return now + (backupDays + MARGIN_DAYS) * DAY
}
