// The outbox enqueues emails in the transaction that causes them, and stores them sealed.
import { newId } from '#contract/ids.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Email, Mailbox } from '#server/rules/email.ts'
import type { Db } from '#server/store/database.ts'
import { addEmail, findEmail, listEmails, removeEmail } from '#server/store/accounts/emails.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'

export interface QueuedEmail {
  readonly to: Mailbox
  readonly email: Email
  /** Milliseconds since 1970. */
  readonly queuedAt: number
}

/** An email as the database stores it, sealed. Names are those of the first version, since rows outlive an update. */
interface StoredEmail {
  readonly to: Mailbox
  readonly letter: Email
}

/** What an email is about, by which it is removed while it waits. */
export interface EmailSubject {
  readonly noticeId: string
}

/** The email function of a unit of work. */
export interface EmailingUnit {
  /** Enqueues an email; it is sent after the commit. */
  readonly email: (to: Mailbox, email: Email, about?: EmailSubject) => Promise<void>
}

export interface Outbox {
  /** Enqueues an email in a unit of work. Modules call it as `email` of their unit. */
  add(
    unit: Pick<UnitOfWork, 'tx' | 'enqueue'>,
    to: Mailbox,
    email: Email,
    about?: EmailSubject,
  ): Promise<void>
  /** A queued email; undefined when it was sent already. */
  read(db: Db, id: string): Promise<QueuedEmail | undefined>
  /** Removes an email that was sent or refused. */
  remove(db: Db, id: string): Promise<void>
  /** Removes every queued email to an address. */
  removeAllTo(tx: Db, address: string): Promise<void>
}

export function createOutbox(secrets: Secrets, clock: () => number): Outbox {
  const open = (sealed: string): Omit<QueuedEmail, 'queuedAt'> => {
    const { to, letter } = JSON.parse(secrets.open('letter', sealed).toString()) as StoredEmail
    return { to, email: letter }
  }
  const isTo = (sealed: string, address: string): boolean => {
    try {
      return open(sealed).to.email === address
    } catch {
      // Sealed with a key that this server no longer has; such an email cannot be sent either.
      return false
    }
  }
  return {
    async add({ tx, enqueue }, to, email, about) {
      const stored: StoredEmail = { to, letter: email }
      const id = newId()
      const sealed = secrets.seal('letter', Buffer.from(JSON.stringify(stored)))
      await addEmail(tx, { id, sealed, noticeId: about?.noticeId ?? null }, clock())
      await enqueue('letter.send', { letterId: id })
    },
    async read(db, id) {
      const row = await findEmail(db, id)
      return row && { ...open(row.sealed), queuedAt: row.createdAt.getTime() }
    },
    remove: removeEmail,
    async removeAllTo(tx, address) {
      for (const { id, sealed } of await listEmails(tx)) if (isTo(sealed, address)) await removeEmail(tx, id)
    },
  }
}
