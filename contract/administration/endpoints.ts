// Endpoints of people and staff, and those of sign-in that belong to them.
import {
  addInvitations,
  getRegistration,
  listInvitations,
  revokeInvitation,
} from '#contract/accounts/invitations.ts'
import { confirmAccountRecovery, stopAccountRecovery } from '#contract/accounts/recovery.ts'
import { secondFactorEndpoints } from '#contract/accounts/second-factor.ts'
import { listAuthorityExports, requestAuthorityExport } from './authority-exports.ts'
import { staffPeopleEndpoints } from './people.ts'
import { machineEndpoints } from './machine.ts'
import { changeRuntimeSettings, getRuntimeSettings, listSettingChanges } from './runtime-settings.ts'
import { getDesk, listStaff, setRole } from './staff.ts'

export const administrationEndpoints = [
  ...secondFactorEndpoints,
  confirmAccountRecovery,
  stopAccountRecovery,
  ...staffPeopleEndpoints,
  listAuthorityExports,
  requestAuthorityExport,
  getDesk,
  listStaff,
  setRole,
  ...machineEndpoints,
  getRuntimeSettings,
  changeRuntimeSettings,
  listSettingChanges,
  getRegistration,
  listInvitations,
  addInvitations,
  revokeInvitation,
] as const
