// Endpoints of plans and their members.
import { listPlanMembers, searchMembers, listJoinedPlans } from './members.ts'
import {
  listOwnPlans,
  addPlan,
  orderPlans,
  changePlan,
  closePlan,
  putPlanPicture,
  removePlanPicture,
} from './plans.ts'

export const planEndpoints = [
  listOwnPlans,
  addPlan,
  orderPlans,
  changePlan,
  closePlan,
  putPlanPicture,
  removePlanPicture,
  listPlanMembers,
  searchMembers,
  listJoinedPlans,
] as const
