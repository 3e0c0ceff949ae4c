// Every endpoint of adjustments.
import { decideDispute, disputeByAdmin, refundByAdmin, searchAdjustments } from './adjustments.ts'
import { addComplimentary, endComplimentary, listComplimentary } from './complimentary.ts'
import { addFeeRate, listFeeRates } from './fee-rates.ts'
import { addSettlement, listSettlements, reverseSettlement } from './settlements.ts'

export const adjustmentEndpoints = [
  searchAdjustments,
  refundByAdmin,
  disputeByAdmin,
  decideDispute,
  listFeeRates,
  addFeeRate,
  listComplimentary,
  addComplimentary,
  endComplimentary,
  listSettlements,
  addSettlement,
  reverseSettlement,
] as const
