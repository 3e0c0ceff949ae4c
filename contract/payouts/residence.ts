// Where a creator lives for tax, as they declare it with their bank account.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'

/** `japan`: 居住者. `abroad`: 非居住者, of whose payouts income tax may have to be withheld (所得税法第161条, 第212条). */
export const residences = ['japan', 'abroad'] as const
export type Residence = (typeof residences)[number]

export const residenceChoice = v.picklist(residences, 'required')

/** What was declared, and when; null for an account of before, until its owner declares it. */
export const declaredResidence = v.nullable(v.object({ is: v.picklist(residences), at: instant }))

/**
 * Declares it for an account that was stored without. The same declaration again changes nothing. `conflict`: there is no account, or it
 * has another declaration, which `putBankAccount` changes.
 */
export const declareResidence = endpoint({
  name: 'declareResidence',
  method: 'PUT',
  path: '/payouts/residence',
  audience: 'member',
  summary: '税金についてのお住まいの国を申告します',
  body: v.object({ residence: residenceChoice }),
  reply: v.object({ residence: declaredResidence }),
  errors: ['unauthenticated', 'conflict'],
})
