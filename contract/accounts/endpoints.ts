// Endpoints of registration, sessions, passkeys, passwords and settings of an account.
import { requestEmailChange, confirmEmailChange } from './email-change.ts'
import { getExport, requestExport } from './export.ts'
import { getDeletion, requestDeletion, cancelDeletion, undoDeletionByLink } from './leaving.ts'
import {
  listPasskeys,
  requestNewPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  requestPasskeySignIn,
  passkeySignIn,
  requestPasskeyValidation,
  validateByPasskey,
} from './passkeys.ts'
import {
  requestReset,
  checkResetCode,
  resetPassword,
  getValidation,
  validatePassword,
  changePassword,
} from './password.ts'
import { register, resendRegistration, confirmRegistration } from './registration.ts'
import { readResetMail, refuseResetMail, allowResetMail } from './reset-mail.ts'
import { reviewReset, removePasskeyAfterReset, endSessionsAfterReset } from './reset-review.ts'
import { signOut, getSession, getAccountState } from './session.ts'
import { listSessions, revokeSession, revokeOtherSessions } from './sessions.ts'
import {
  getOwnInfo,
  changeOwnInfo,
  setLegalName,
  getNotificationSettings,
  changeNotificationSetting,
  getPrivacySettings,
  changePrivacySettings,
  getBlockEffects,
  listBlocks,
  blockPerson,
  unblockPerson,
} from './settings.ts'
import { signIn } from './sign-in.ts'
import { getStorage } from './storage.ts'

export const accountEndpoints = [
  register,
  resendRegistration,
  confirmRegistration,
  requestReset,
  checkResetCode,
  readResetMail,
  refuseResetMail,
  allowResetMail,
  reviewReset,
  removePasskeyAfterReset,
  endSessionsAfterReset,
  resetPassword,
  getValidation,
  validatePassword,
  changePassword,
  requestEmailChange,
  confirmEmailChange,
  signIn,
  signOut,
  getSession,
  getAccountState,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  listPasskeys,
  requestNewPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  requestPasskeySignIn,
  passkeySignIn,
  requestPasskeyValidation,
  validateByPasskey,
  getDeletion,
  requestDeletion,
  cancelDeletion,
  undoDeletionByLink,
  getExport,
  requestExport,
  getOwnInfo,
  changeOwnInfo,
  setLegalName,
  getStorage,
  getNotificationSettings,
  changeNotificationSetting,
  getPrivacySettings,
  changePrivacySettings,
  getBlockEffects,
  listBlocks,
  blockPerson,
  unblockPerson,
] as const
