// What changing the card of a membership does.
import * as v from 'valibot'

/**
 * What changing the card does. `register`: no money is taken, and the next month is charged to the new card. `pay`: the month that
 * could not be charged is paid. `return`: a membership that ended unpaid continues, with the month that is paid.
 */
export const cardActs = ['register', 'pay', 'return'] as const
export const cardAct = v.picklist(cardActs)
