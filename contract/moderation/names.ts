// Japanese names of measures and rules, for pages and emails.
import type { ReportReason } from '#contract/posts/reports.ts'
import type { MeasureKind } from './measures.ts'

export const measureNames: Readonly<Record<MeasureKind, string>> = {
  hide: '非公開',
  remove: '削除',
  age_limit: '年齢制限',
  warn: '警告',
  limit: '表示の制限',
  suspend: '利用停止',
}

export const ruleNames: Readonly<Record<ReportReason, string>> = {
  copyright: '著作権などの権利の侵害',
  sexual: '性的な内容',
  harassment: '嫌がらせ・暴力的な内容',
  spam: 'スパム・詐欺',
  impersonation: 'なりすまし',
  minor: '未成年者の安全',
  privacy: 'プライバシーの侵害',
  other: 'その他の利用規約違反',
}
