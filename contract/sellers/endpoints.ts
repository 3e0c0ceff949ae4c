// Every endpoint about sellers, for the list of the whole API.
import { answerSellerRequest, listWaitingSellerRequests } from './admin-sellers.ts'
import { getOwnSeller, listSellerRequests, putOwnSeller, removeOwnSeller } from './own-seller.ts'
import { getSeller, requestSeller } from './sellers.ts'

export const sellerEndpoints = [
  getSeller,
  requestSeller,
  getOwnSeller,
  putOwnSeller,
  removeOwnSeller,
  listSellerRequests,
  listWaitingSellerRequests,
  answerSellerRequest,
] as const
