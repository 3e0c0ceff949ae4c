// Words about plans that several features show.
import type { PlanState } from '#contract/plans/plans.ts'
import { date, number } from '#src/lib/format.ts'

export const planWords = {
  perMonth: '／月（税込）',
  perMonthShort: '／月',
  states: {
    open: '受付中',
    full: '満員',
    paused: '受付停止中',
    closing: '終了予定',
    ended: '終了',
  } satisfies Record<PlanState, string>,
  /** Why a plan cannot be joined now; nothing for one that can. */
  notOpen: {
    open: '',
    full: '人数の上限に達したため、新しい加入を受け付けていません。',
    paused: '現在、新しい加入を受け付けていません。',
    closing: 'まもなく終了するため、新しい加入を受け付けていません。',
    ended: 'このプランは終了しました。',
  } satisfies Record<PlanState, string>,
  join: '加入する',
  joined: '加入中',
  cancelled: '解約済み',
  change: 'このプランに変更',
  /** The names of links for screen readers: each begins with what is shown. */
  joinOf: (plan: string) => `加入する（${plan}）`,
  changeTo: (plan: string) => `このプランに変更（${plan}）`,
  openUntil: (day: string) => `${day}まで閲覧できます。`,
  toJoined: '加入中のプランを見る',
  endsOn: (at: string) => `${lastDay(at)}に終了します。`,
  members: (count: number) => `メンバー${number(count)}人`,
  opensCheaper: 'より安いプランの投稿も見られます。',
  sinceJoining:
    '加入したあとに公開された投稿を見られます。以前にも加入していた人は、お支払い済みの月（返金された月を除く）の投稿も見られます。',
  allBackNumbers: 'これまでに公開されたプランの投稿も見られます。',
} as const

/** The last day of something that ends at the start of the next one, in Tokyo. */
export function lastDay(endsAt: string): string {
  return date(Date.parse(endsAt) - 1)
}
