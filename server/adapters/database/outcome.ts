// Tells a transaction that was rolled back from one whose outcome is unknown.
import { DrizzleQueryError } from 'drizzle-orm'

/**
 * COMMIT was sent and no reply of the database arrived: what the transaction wrote may be there. A caller that gets this error
 * removes nothing that the transaction refers to, and reports nothing as failed.
 */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the reply to COMMIT is lost', { cause })
    this.name = 'OutcomeUnknown'
  }
}

/** Whether an error of COMMIT is a reply of the database, which then has rolled back. A FATAL one comes from a process that ends. */
export function isRolledBack(error: unknown): boolean {
  const reply = error instanceof DrizzleQueryError ? error.cause : error
  return (reply as { severity?: unknown } | undefined)?.severity === 'ERROR'
}
