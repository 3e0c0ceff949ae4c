// Japanese names of kinds and outcomes of inquiries, for pages and emails.
import type { InquiryKind, InquiryOutcome, IntimateGround } from './states.ts'

export const inquiryNames: Readonly<Record<InquiryKind, string>> = {
  contact: 'お問い合わせ',
  copyright: '著作権侵害の申告',
  privacy: 'プライバシー侵害・名誉毀損などの削除申請',
  disclosure: '発信者情報開示の請求',
  intimate: '性的な画像・動画に写っている本人からの申出',
}

export const groundNames: Readonly<Record<IntimateGround, string>> = {
  unwanted: '同意なく撮影または公開された',
  withdrawal: '出演契約を取り消す、または解除する',
}

export const outcomeNames: Readonly<Record<InquiryOutcome, string>> = {
  removed: '削除などの対応をしました',
  partly: '一部に対応しました',
  refused: '対応しませんでした',
  disclosed: '開示しました',
  answered: '回答しました',
  withdrawn: '取り下げ',
}
