// Ends sessions of a person, closes their live connections and forgets their devices.
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { removeRememberedDevices } from '#server/store/accounts/remembered-devices.ts'
import { removeSession, removeSessions } from '#server/store/accounts/sessions.ts'

/** Selects one session; or all but one, whose device stays remembered. */
type Which = { readonly only: string } | { readonly except?: string; readonly exceptDevice: string | null }

interface Ports {
  readonly transaction: Transaction<Pick<UnitOfWork, 'tx' | 'endConnections'>>
}

/** @returns how many sessions ended */
export function endSessions({ transaction }: Ports, userId: string, which: Which): Promise<number> {
  return transaction(async ({ tx, endConnections }) => {
    if ('only' in which) {
      const ended = await removeSession(tx, userId, which.only)
      if (!ended) return 0
      if (ended.deviceId !== null) await removeRememberedDevices(tx, userId, { only: [ended.deviceId] })
      endConnections({ is: 'session', userId, sessionId: which.only })
      return 1
    }
    const ended = await removeSessions(tx, userId, which.except)
    await removeRememberedDevices(tx, userId, { except: which.exceptDevice })
    endConnections({ is: 'person', userId, except: which.except })
    return ended.length
  })
}
