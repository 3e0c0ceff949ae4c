// What the payment services use of the server.
import type { Database } from '#server/adapters/database/database.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { EmailingUnit } from '#server/services/email/outbox.ts'
import type { NotifyingUnit } from '#server/services/notifications/notify.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Db } from '#server/store/database.ts'
import type { PaymentProviders } from './providers.ts'

/** The unit of work in which payments change. */
export type PaymentUnit = UnitOfWork & EmailingUnit & NotifyingUnit

export interface PaymentPorts {
  readonly db: Db
  readonly database: Pick<Database, 'exclusively'>
  readonly transaction: Transaction<PaymentUnit>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly secrets: Secrets
  readonly paymentProviders: PaymentProviders
  readonly settings: { readonly publicUrl: string }
}

/** What beginning a payment uses besides. */
export interface BeginPorts extends PaymentPorts {
  readonly settings: PaymentPorts['settings'] & {
    readonly payments: {
      /** Whether new payments begin. */
      readonly isSelling: boolean
      /** Fee of the platform, basis points. */
      readonly feeRate: number
      /** Against card testing and stolen cards. */
      readonly limits: {
        readonly begunPerHour: number
        readonly refusedPerPerson: number
        readonly refusedPerNetwork: number
        readonly newAccountYen: number
      }
    }
  }
}
