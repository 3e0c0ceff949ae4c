// Who reads the purchase history where nothing but records is open to them.
import type { LinkProps } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { Caller } from '#src/domain/queries/query.ts'

/** Set for an account that is leaving or suspended: posts, profiles and messages are closed to its person. */
export interface RecordsOnly {
  /** Who reads; undefined for the signed-in person. */
  readonly caller?: Caller | undefined
  readonly history: LinkProps
  /** The receipt of a payment. */
  readonly receipt: (paymentId: string) => LinkProps
}

export const RecordsOnlyContext = createContext<RecordsOnly | undefined>(undefined)

export const useRecordsOnly = (): RecordsOnly | undefined => use(RecordsOnlyContext)
