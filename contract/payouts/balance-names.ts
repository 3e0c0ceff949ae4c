// Names of reasons why a balance is not paid out by itself, and of clearings.

/**
 * Why a balance has no way out. `left`: the account was deleted. `suspended`: it is, or was when it was deleted. `negative`: more was
 * returned to buyers than the creator had left. `no_account`: without a bank account. `returned`: the last payout came back, and the
 * account was not changed since. `cancelled`: an admin cancelled the last payout of a deleted account. `old`: a part of it is older
 * than six months.
 */
export const balanceReasons = [
  'left',
  'suspended',
  'negative',
  'no_account',
  'returned',
  'cancelled',
  'old',
] as const
export type BalanceReason = (typeof balanceReasons)[number]

/**
 * What an admin records about a balance. `paid`: transferred by hand. `repaid`: the person transferred what they owed. `borne`: the
 * platform bears what they owed.
 */
export const clearingKinds = ['paid', 'repaid', 'borne'] as const
export type ClearingKind = (typeof clearingKinds)[number]
