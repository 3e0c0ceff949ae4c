// The sentence of a notification, by setting_cd, for the list, pushes and emails.
import * as v from 'valibot'
import { type SettingCd, settingCd } from './setting-codes.ts'

export interface NotificationWho {
  /** The latest actor; null for the service or a deleted account. */
  readonly name: string | null
  /** How many more did the same. */
  readonly others: number
  /** The beginning of what it is about, as far as the receiver sees that in full. */
  readonly excerpt?: string | null | undefined
}

export interface NotificationText {
  /** The whole sentence. It begins with `who`. */
  readonly title: string
  /** The actors; '' for the service. */
  readonly who: string
  /** What it is about, or ''. */
  readonly body: string
}

/** What the actor did, after the name. A code without a sentence does not compile. */
const acts: { readonly [code in SettingCd]: string } = {
  message: 'からメッセージが届きました',
  follow: 'にフォローされました',
  like_post: 'があなたの投稿に「いいね」しました',
  like_comment: 'があなたのコメントに「いいね」しました',
  comment: 'があなたの投稿にコメントしました',
  reply_comment: 'があなたのコメントに返信しました',
  mention: 'があなたをメンションしました',
  post: 'が新しい投稿を公開しました',
  plan_post: 'がプラン限定の投稿を公開しました',
  buy_post: 'があなたの投稿を購入しました',
  plan: 'があなたのプランに加入しました',
}

/** Notifications from the service; the result of a check is not shown on a locked screen. */
const tellings: Readonly<Record<string, string>> = {
  identity: '本人確認の結果が出ました',
  notice: 'とどけからのお知らせ',
  measure: '運営からの重要なお知らせ',
  report: '通報への対応が終わりました',
  hold: '投稿かコメントが確認待ちです',
  hold_ended: '投稿かコメントが公開されました',
}

const unknown = 'お知らせがあります'

/**
 * The words of a notice of a conversation.
 * @param count unread messages of the sender
 * @param text the beginning of the newest one; null where the recipient wants no text on their screen
 */
export const messageText = (
  name: string,
  count: number,
  text: string | null,
): { readonly title: string; readonly body: string } => ({
  title: count > 1 ? `${name}（${count.toLocaleString('ja-JP')}件）` : name,
  // A message of images alone has no text.
  body: text === null || text === '' ? 'メッセージが届きました' : text,
})

/**
 * The words of a notification. An unknown code has a neutral sentence.
 * @param it its code
 * @param about who did it, and what may be quoted: never text that the receiver does not see in full
 */
export function notificationText(
  it: { readonly setting_cd: string },
  { name, others, excerpt }: NotificationWho,
): NotificationText {
  const body = excerpt ?? ''
  const code = v.safeParse(settingCd, it.setting_cd)
  if (!code.success)
    return {
      title: Object.hasOwn(tellings, it.setting_cd) ? (tellings[it.setting_cd] ?? unknown) : unknown,
      who: '',
      body,
    }
  const who = whoOf(name, others)
  return { title: who + acts[code.output], who, body }
}

/** 「Aさん」, 「Aさんとほか3人」. */
function whoOf(name: string | null, others: number): string {
  const first = name === null ? '退会したユーザー' : `${name}さん`
  return others > 0 ? `${first}とほか${others.toLocaleString('ja-JP')}人` : first
}
