// Endpoints of notifications and push subscriptions.
import { listNotifications, countUnread, countBadge, readNotifications } from './notifications.ts'
import { getPushKey, putPushSubscription, dropPushSubscription, testPush } from './push-subscriptions.ts'

export const notificationEndpoints = [
  listNotifications,
  countUnread,
  countBadge,
  readNotifications,
  getPushKey,
  putPushSubscription,
  dropPushSubscription,
  testPush,
] as const
