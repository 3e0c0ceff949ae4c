// Every endpoint, for the server's table of routes and the OpenAPI page.
import { listAudit } from './administration/audit.ts'
import { moderationEndpoints } from './moderation/endpoints.ts'
import { getReportedMessages } from './posts/admin-reports.ts'
import { listReservedNames } from './identity/admin-names.ts'
import {
  approveCheck,
  getCheck,
  listChecks,
  rejectCheck,
  returnCheck,
  takeCheck,
} from './identity/admin-identity.ts'
import { addComment, deleteComment, listComments, listReplies } from './posts/comments.ts'
import { requestExport, getExport } from './accounts/export.ts'
import { requestEmailChange, confirmEmailChange } from './accounts/email-change.ts'
import { countNewer, listFeed } from './posts/feed.ts'
import { healthEndpoints } from './probes.ts'
import { requestDeletion, getDeletion, cancelDeletion, undoDeletionByLink } from './accounts/leaving.ts'
import { requestPrompts, getIdentity, submitIdentity } from './identity/identity.ts'
import { getOperator } from './operator.ts'
import { likeComment, likePost, unlikeComment, unlikePost } from './posts/likes.ts'
import { changePost, deletePost } from './posts/own-posts.ts'
import { adminNoticeEndpoints } from './notices/admin-notices.ts'
import { changeNoticeSettings, getNoticeSettings } from './notices/notice-settings.ts'
import { closeBar, getNotice, listBars, readNotice } from './notices/notices.ts'
import {
  countBadge,
  countUnread,
  listNotifications,
  readNotifications,
} from './notifications/notifications.ts'
import { payoutEndpoints } from './payouts/endpoints.ts'
import {
  addPasskey,
  requestNewPasskey,
  requestPasskeySignIn,
  requestPasskeyValidation,
  listPasskeys,
  passkeySignIn,
  removePasskey,
  renamePasskey,
  validateByPasskey,
} from './accounts/passkeys.ts'
import {
  requestReset,
  changePassword,
  checkResetCode,
  getValidation,
  resetPassword,
  validatePassword,
} from './accounts/password.ts'
import { follow, listFollows, unfollow } from './people/follows.ts'
import { listMutes, mutePerson, unmutePerson } from './people/mutes.ts'
import {
  changeProfile,
  checkHandle,
  getOwnPictures,
  getProfile,
  putPicture,
  removePicture,
  suggestPeople,
} from './people/people.ts'
import {
  beginMembership,
  cancelMembership,
  changeMembership,
  getPlanOrder,
  resumeMembership,
  revokeMembershipChange,
} from './memberships/memberships.ts'
import { administrationEndpoints } from './administration/endpoints.ts'
import { messageEndpoints } from './messages/endpoints.ts'
import { getAnalytics, getPostAnalytics } from './analytics/analytics.ts'
import { reportReading } from './analytics/readings.ts'
import { listJoinedPlans, listPlanMembers, searchMembers } from './plans/members.ts'
import {
  addPlan,
  changePlan,
  closePlan,
  listOwnPlans,
  orderPlans,
  putPlanPicture,
  removePlanPicture,
} from './plans/plans.ts'
import { addPost, getPost, listPosts, releasePost, sendChunk, withdrawPost } from './posts/posts.ts'
import { confirmRegistration, register, resendRegistration } from './accounts/registration.ts'
import { authorizeChannel, getRealtime } from './realtime/realtime.ts'
import { allowResetMail, readResetMail, refuseResetMail } from './accounts/reset-mail.ts'
import { endSessionsAfterReset, removePasskeyAfterReset, reviewReset } from './accounts/reset-review.ts'
import { listOwnReports, sendReport } from './posts/reports.ts'
import { adjustmentEndpoints } from './adjustments/endpoints.ts'
import { closeOperatorTask, listOperatorTasks, reconcileByAdmin } from './payments/operator-tasks.ts'
import { listPaymentFilters, listPayments } from './payments/history.ts'
import { beginPayment, getPayment, getPaymentReturn } from './payments/payments.ts'
import { getSales, listSalesEntries } from './sales/sales.ts'
import { getStatement, listStatements } from './sales/statements.ts'
import { getReceipt, issueReceipt } from './payments/receipts.ts'
import { sellerEndpoints } from './sellers/endpoints.ts'
import { listTrending, searchPeople, searchPosts, suggestSearch } from './search/search.ts'
import { getAccountState, getSession, signOut } from './accounts/session.ts'
import {
  dropPushSubscription,
  getPushKey,
  putPushSubscription,
  testPush,
} from './notifications/push-subscriptions.ts'
import { signIn } from './accounts/sign-in.ts'
import { getStorage } from './accounts/storage.ts'
import { listSessions, revokeOtherSessions, revokeSession } from './accounts/sessions.ts'
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
} from './accounts/settings.ts'

export const endpoints = [
  ...healthEndpoints,
  getOperator,
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
  addPlan,
  orderPlans,
  changePlan,
  closePlan,
  putPlanPicture,
  removePlanPicture,
  listPlanMembers,
  searchMembers,
  listJoinedPlans,
  reportReading,
  getAnalytics,
  getPostAnalytics,
  beginPayment,
  getPlanOrder,
  beginMembership,
  cancelMembership,
  resumeMembership,
  changeMembership,
  revokeMembershipChange,
  getPayment,
  getPaymentReturn,
  listOperatorTasks,
  closeOperatorTask,
  reconcileByAdmin,
  ...adjustmentEndpoints,
  listPayments,
  listPaymentFilters,
  ...payoutEndpoints,
  ...sellerEndpoints,
  getSales,
  listSalesEntries,
  listStatements,
  getStatement,
  getReceipt,
  issueReceipt,
  ...messageEndpoints,
  listNotifications,
  countUnread,
  countBadge,
  readNotifications,
  getNotice,
  readNotice,
  listBars,
  closeBar,
  getNoticeSettings,
  changeNoticeSettings,
  ...adminNoticeEndpoints,
  getDeletion,
  requestDeletion,
  cancelDeletion,
  undoDeletionByLink,
  getExport,
  requestExport,
  getIdentity,
  requestPrompts,
  submitIdentity,
  listChecks,
  getCheck,
  listAudit,
  listReservedNames,
  getReportedMessages,
  ...moderationEndpoints,
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
  ...administrationEndpoints,
] as const
