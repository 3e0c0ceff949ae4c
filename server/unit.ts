// The unit of work of modules, and how `deps.transaction` is created.
import type { Secrets } from './adapters/secrets.ts'
import type { EmailingUnit, Outbox } from './services/email/outbox.ts'
import { notify, type NotifyingUnit } from './services/notifications/notify.ts'
import {
  createTransaction,
  type Transaction,
  type TransactionPorts,
  type UnitOfWork,
} from './services/transaction/unit-of-work.ts'

/** The unit of work of modules (`createTransaction`). */
export type Unit = UnitOfWork & EmailingUnit & NotifyingUnit

interface TransactionParts extends Omit<TransactionPorts, 'audit'> {
  readonly clock: () => number
  readonly secrets: Secrets
  readonly outbox: Outbox
}

/** Creates `deps.transaction`. */
export function transactionOf({ clock, secrets, outbox, ...ports }: TransactionParts): Transaction<Unit> {
  const audit = { mac: (text: string) => secrets.mac('audit', text), clock }
  return createTransaction({ ...ports, audit }, (unit) => ({
    email: (to, email, about) => outbox.add(unit, to, email, about),
    notify: (event) => notify(unit, event, clock()),
  }))
}
