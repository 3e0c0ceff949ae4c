// Every endpoint, for the server's table of routes and the OpenAPI page.
import { listReservedNames } from './admin-names.ts'
import { approveCheck, getCheck, listChecks, rejectCheck, returnCheck, takeCheck } from './admin-identity.ts'
import { addComment, deleteComment, listComments, listReplies } from './comments.ts'
import { askExport, getExport } from './export.ts'
import { askEmailChange, confirmEmailChange } from './email-change.ts'
import { countNewer, listFeed } from './feed.ts'
import { getHealth } from './health.ts'
import { askDeletion, getDeletion, undoDeletion, undoDeletionByLink } from './leaving.ts'
import { askPrompts, getIdentity, submitIdentity } from './identity.ts'
import { getOperator } from './operator.ts'
import { likeComment, likePost, unlikeComment, unlikePost } from './likes.ts'
import { changePost, deletePost } from './own-posts.ts'
import { countUnread, getNotice, listNotifications, readNotifications } from './notifications.ts'
import {
  addPasskey,
  askNewPasskey,
  askPasskeySignIn,
  askPasskeyValidation,
  listPasskeys,
  passkeySignIn,
  removePasskey,
  renamePasskey,
  validateByPasskey,
} from './passkeys.ts'
import {
  askReset,
  changePassword,
  checkResetCode,
  getValidation,
  resetPassword,
  validatePassword,
} from './password.ts'
import { follow, listFollows, unfollow } from './follows.ts'
import { listMutes, mutePerson, unmutePerson } from './mutes.ts'
import {
  changeProfile,
  checkHandle,
  getOwnPictures,
  getProfile,
  putPicture,
  removePicture,
  suggestPeople,
} from './people.ts'
import { listOwnPlans } from './plans.ts'
import { addPost, getPost, listPosts, releasePost, sendChunk, withdrawPost } from './posts.ts'
import { confirmRegistration, register, resendRegistration } from './registration.ts'
import { authorizeChannel, getRealtime } from './realtime.ts'
import { allowResetMail, readResetMail, refuseResetMail } from './reset-mail.ts'
import { endSessionsAfterReset, removePasskeyAfterReset, reviewReset } from './reset-review.ts'
import { listOwnReports, sendReport } from './reports.ts'
import { listTrending, searchPeople, searchPosts, suggestSearch } from './search.ts'
import { getAccountState, getSession, signOut } from './session.ts'
import { dropPushSubscription, getPushKey, putPushSubscription, testPush } from './push-subscriptions.ts'
import { signIn } from './sign-in.ts'
import { getStorage } from './storage.ts'
import { listSessions, revokeOtherSessions, revokeSession } from './sessions.ts'
import {
  blockPerson,
  changeNotificationSetting,
  changeOwnInfo,
  changePrivacySettings,
  getNotificationSettings,
  getOwnInfo,
  getPrivacySettings,
  listBlocks,
  unblockPerson,
} from './settings.ts'

export const endpoints = [
  getHealth,
  getOperator,
  register,
  resendRegistration,
  confirmRegistration,
  askReset,
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
  askEmailChange,
  confirmEmailChange,
  signIn,
  signOut,
  getSession,
  getAccountState,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  listPasskeys,
  askNewPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  askPasskeySignIn,
  passkeySignIn,
  askPasskeyValidation,
  validateByPasskey,
  addPost,
  releasePost,
  sendChunk,
  withdrawPost,
  listPosts,
  getPost,
  listFeed,
  countNewer,
  changePost,
  deletePost,
  likePost,
  unlikePost,
  listComments,
  listReplies,
  addComment,
  deleteComment,
  likeComment,
  unlikeComment,
  getProfile,
  suggestPeople,
  changeProfile,
  checkHandle,
  getOwnPictures,
  putPicture,
  removePicture,
  follow,
  unfollow,
  listFollows,
  mutePerson,
  unmutePerson,
  listMutes,
  sendReport,
  listOwnReports,
  listOwnPlans,
  listNotifications,
  countUnread,
  readNotifications,
  getNotice,
  getDeletion,
  askDeletion,
  undoDeletion,
  undoDeletionByLink,
  getExport,
  askExport,
  getIdentity,
  askPrompts,
  submitIdentity,
  listChecks,
  getCheck,
  listReservedNames,
  takeCheck,
  returnCheck,
  approveCheck,
  rejectCheck,
  getOwnInfo,
  changeOwnInfo,
  getStorage,
  getNotificationSettings,
  changeNotificationSetting,
  getPrivacySettings,
  changePrivacySettings,
  listBlocks,
  blockPerson,
  unblockPerson,
  searchPosts,
  searchPeople,
  suggestSearch,
  listTrending,
  getPushKey,
  putPushSubscription,
  dropPushSubscription,
  testPush,
  getRealtime,
  authorizeChannel,
] as const
