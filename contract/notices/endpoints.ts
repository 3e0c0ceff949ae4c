// Endpoints of notices of the operator.
import { adminNoticeEndpoints } from './admin-notices.ts'
import { getNoticeSettings, changeNoticeSettings } from './notice-settings.ts'
import { getNotice, readNotice, listBars, closeBar } from './notices.ts'

export const noticeEndpoints = [
  getNotice,
  readNotice,
  listBars,
  closeBar,
  getNoticeSettings,
  changeNoticeSettings,
  ...adminNoticeEndpoints,
] as const
