// Why an identity check was rejected: the sentences of its email and the screen.
import type { RejectReason } from './identity.ts'

/** One sentence for each reason; a new one without does not compile. */
export const rejectSentences: Record<RejectReason, string> = {
  unreadable: '書類の文字や写真を読み取れませんでした。明るい場所で、ピントを合わせて撮影してください。',
  cut_off: '書類の一部が写っていませんでした。四隅まで入るように撮影してください。',
  expired_document: '書類の有効期限が切れていました。有効期限内の書類をご用意ください。',
  wrong_document: '選択された種類と、お送りいただいた書類が異なっていました。',
  details_differ:
    '登録されている氏名・フリガナまたは生年月日が、書類の内容と一致しないか、登録されていませんでした。',
  face_differs: '書類の写真と、動画の人物が同じ方であることを確認できませんでした。',
  acts_missing: '動画で、お願いした動作を確認できませんでした。',
  under_age: '18歳以上であることを確認できませんでした。',
  altered: '書類が加工されている可能性があるため、確認できませんでした。',
  other: '本人確認を完了できませんでした。',
}
