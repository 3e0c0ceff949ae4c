// Every endpoint of payouts, bank accounts and the directory of banks.
import {
  approvePayouts,
  decidePayout,
  exportPayouts,
  importPayoutResults,
  listAdminPayouts,
  listPayoutExports,
  settlePayout,
  voidPayoutExport,
} from './admin-payouts.ts'
import { recordBankFee } from './bank-fees.ts'
import { clearBalance, listStrandedBalances, readPayeeContact, requestLastPayout } from './balances.ts'
import { getBankAccount, putBankAccount, removeBankAccount } from './bank-account.ts'
import { searchBanks, searchBranches } from './banks.ts'
import { declareResidence } from './residence.ts'
import { getPayouts, requestPayout, setAutomaticPayouts } from './payouts.ts'

export const payoutEndpoints = [
  searchBanks,
  searchBranches,
  getBankAccount,
  putBankAccount,
  removeBankAccount,
  declareResidence,
  getPayouts,
  requestPayout,
  setAutomaticPayouts,
  listAdminPayouts,
  approvePayouts,
  decidePayout,
  exportPayouts,
  listPayoutExports,
  voidPayoutExport,
  settlePayout,
  recordBankFee,
  importPayoutResults,
  listStrandedBalances,
  readPayeeContact,
  requestLastPayout,
  clearBalance,
] as const
