// Names of the provider's numbers in replies, for pages of the version before.
import * as v from 'valibot'

/** As `charge_ref`. */
export const earlierChargeRef = { gid: v.optional(v.string()) }
/** As `charge_ref` and `recurring_ref`. */
export const earlierRefs = { ...earlierChargeRef, acid: v.optional(v.string()) }

interface Refs {
  readonly charge_ref: string
  readonly recurring_ref?: string
}

export const withEarlierRefs = <View extends Refs>(view: View) => ({
  ...view,
  gid: view.charge_ref,
  ...(view.recurring_ref !== undefined && { acid: view.recurring_ref }),
})
