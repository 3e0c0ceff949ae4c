// Endpoints of identity checks and reserved names.
import { listChecks, getCheck, takeCheck, returnCheck, approveCheck, rejectCheck } from './admin-identity.ts'
import { listReservedNames } from './admin-names.ts'
import { getIdentity, requestPrompts, submitIdentity } from './identity.ts'

export const identityEndpoints = [
  getIdentity,
  requestPrompts,
  submitIdentity,
  listChecks,
  getCheck,
  listReservedNames,
  takeCheck,
  returnCheck,
  approveCheck,
  rejectCheck,
] as const
