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
 * What becomes of a balance older than six months of a person who is present. `request`: its payout is requested within an hour.
 * `waits`: a payout of this month comes first. `no_account`, `returned`, `suspended`: as the reasons above. `cancelled`: staff cancelled
 * its payout, and it is requested in the next month. `unidentified`: the identity check is not approved any more.
 */
export const oldBalanceSteps = [
  'request',
  'waits',
  'no_account',
  'returned',
  'cancelled',
  'unidentified',
  'suspended',
] as const
export type OldBalanceStep = (typeof oldBalanceSteps)[number]

/**
 * What an admin records about a balance. `paid`: transferred by hand. `repaid`: the person transferred what they owed. `borne`: the
 * platform bears what they owed.
 */
export const clearingKinds = ['paid', 'repaid', 'borne'] as const
export type ClearingKind = (typeof clearingKinds)[number]
