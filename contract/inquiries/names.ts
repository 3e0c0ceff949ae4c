// Japanese names of kinds and outcomes of inquiries, for pages and emails.
import type { InquiryKind, InquiryOutcome } from './states.ts'

export const inquiryNames: Readonly<Record<InquiryKind, string>> = {
  contact: 'お問い合わせ',
  copyright: '著作権侵害の申告',
  privacy: 'プライバシー侵害・名誉毀損などの削除申請',
  disclosure: '発信者情報開示の請求',
}

export const outcomeNames: Readonly<Record<InquiryOutcome, string>> = {
  removed: '削除などの対応をしました',
  partly: '一部に対応しました',
  refused: '対応しませんでした',
  disclosed: '開示しました',
  answered: '回答しました',
  withdrawn: '取り下げ',
}
