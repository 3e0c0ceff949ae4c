// Texts about signing out, unsent posts on this device, and sessions.
import type { JobKind } from '#device/jobs/job-rows.ts'
import type { Belongings, Unsent } from '#device/session/purge.ts'

const listed = (...parts: (string | false)[]): string => parts.filter((it) => it !== false).join('と')

/** Each kind, in the order of sentences, with its counter; a person has at most one unsent check, which is not counted. */
const kinds: Record<JobKind, readonly [name: string, counter: string]> = {
  post: ['投稿', '件'],
  message: ['メッセージ', '件'],
  identity: ['本人確認', ''],
}

const listedKinds = (unsent: Unsent, withCounts: boolean): string =>
  listed(
    ...(Object.keys(kinds) as JobKind[]).map((kind) => {
      const [name, counter] = kinds[kind]
      return unsent[kind] > 0 && (withCounts && counter ? name + unsent[kind] + counter : name)
    }),
  )

/** 投稿2件, メッセージ1件, 本人確認, or several of them. */
const counted = (unsent: Unsent): string => listedKinds(unsent, true)
const named = (unsent: Unsent): string => listedKinds(unsent, false)

const sum = (unsent: Unsent): number => Object.values(unsent).reduce((total, it) => total + it)

/** 投稿が2件あります, and 投稿2件と本人確認があります where there is more than posts. */
const thereIs = (unsent: Unsent) =>
  sum(unsent) === unsent.post ? `投稿が${unsent.post}件あります` : `${counted(unsent)}があります`

/** Whether anything is unsent. */
export const isUnsent = (unsent: Unsent): boolean => sum(unsent) > 0

/** Data on this device of a person who signs out. */
interface Leaving extends Belongings {
  /** Posts with an unsent comment in the field. */
  comments: number
  /** Conversations with an unsent message in the field. */
  messages: number
  /** Forms with unsent values. */
  forms: number
  /** Mutations in this page's memory. */
  here: number
}

export const signOutText = {
  title: 'ログアウトしますか',
  action: 'ログアウトする',
  stay: 'やめる',
  /** What is deleted, what is lost and what stays. */
  consequence: ({ drafts, comments, messages, files, forms, here, unsent, acts }: Leaving) => {
    const deleted = listed(
      drafts > 0 && `下書き${drafts}件`,
      comments > 0 && `書きかけのコメント${comments}件`,
      messages > 0 && `書きかけのメッセージ${messages}件`,
      files > 0 && `選んだ画像・動画${files}件`,
      forms > 0 && `保存していない入力${forms}件`,
    )
    const staying = listed(
      isUnsent(unsent) && counted(unsent),
      acts > 0 && `メッセージやコメント、いいねなどの操作${acts}件`,
    )
    return [
      deleted && `この端末の${deleted}は削除されます。`,
      here > 0 && `この端末に保存できなかった操作${here}件は、送信されずに失われます。`,
      staying && `送信待ちの${staying}はこの端末に残り、次にログインすると続きから送信します。`,
    ]
      .filter(Boolean)
      .join('')
  },
} as const

export const parkedText = {
  label: '送信待ちのもの',
  line: (name: string | undefined, unsent: Unsent) =>
    name === undefined
      ? `送信待ちの${thereIs(unsent)}。ご本人がログインすると続きから送信します。`
      : `${name}さんの送信待ちの${thereIs(unsent)}。ログインすると続きから送信します。`,
  closed: {
    suspended: (name: string | undefined, what: string) =>
      `${name === undefined ? 'この端末で使われていた' : `${name}さんの`}アカウントは利用を停止されているため、この端末に残っている${what}は送信されません。内容は書き出せます。`,
    missing: (name: string | undefined, what: string) =>
      `${name === undefined ? 'この端末で使われていた' : `${name}さんの`}アカウントはすでにないため、この端末に残っている${what}は送信されません。内容は書き出せます。`,
  },
  /** Without a name: other people may use this device. */
  suspended:
    'この端末でログインしていたアカウントは、利用を停止されました。理由と異議申し立ての方法は、登録のメールアドレスへのお知らせに書かれています。',
  understood: '表示を消す',
  left: (unsent: Unsent, drafts: number) =>
    listed(isUnsent(unsent) && counted(unsent), drafts > 0 && `下書き${drafts}件`),
  look: '書き出す',
  lookOf: (name: string | undefined) =>
    `${name === undefined ? '' : `${name}さんの`}送信されない内容を書き出す`,
  sheet: '送信されない内容',
  sheetHint: '文章はコピー、ファイルは保存できます。',
  kinds: { post: '送信待ちの投稿', draft: '下書き', message: 'メッセージ', comment: 'コメント' },
  noWords: '（本文なし）',
  copy: 'コピー',
  copied: '文章をコピーしました。',
  notCopied: 'コピーできませんでした。文章を選択してコピーしてください。',
  save: (name: string) => `${name}を保存`,
  unreadableFile: 'ファイルを読み取れませんでした。',
  closedTitle: 'この端末に残っている内容を削除しますか',
  closedText: (what: string) =>
    `この端末に残っている${what}を、画像や動画とともに削除します。元に戻せません。`,
  closedDone: 'この端末に残っていた内容を削除しました。',
  discard: '削除',
  discardOf: (name: string | undefined, unsent: Unsent) =>
    `${name === undefined ? '' : `${name}さんの`}送信待ちの${named(unsent)}を削除`,
  title: (unsent: Unsent) => `送信待ちの${named(unsent)}を削除しますか`,
  text: (unsent: Unsent) =>
    sum(unsent) === unsent.identity
      ? 'この端末に残っている本人確認の書類と動画を削除します。元に戻せません。'
      : `この端末に残っている${counted(unsent)}を、画像や動画とともに削除します。元に戻せません。`,
  action: '削除する',
  done: (unsent: Unsent) => `送信待ちの${named(unsent)}を削除しました。`,
  failed: '削除できませんでした。もう一度お試しください。',
} as const

export const sessionsText = {
  title: 'ログイン中の端末',
  hint: '心当たりのない端末があるときは、ログアウトさせて、パスワードを変更してください。',
  unknown: '不明な端末',
  current: 'この端末',
  method: { password: 'パスワード', passkey: 'パスキー', registration: '新規登録' },
  since: (day: string) => `${day}にログイン`,
  lastUse: '最後の利用',
  usingNow: '利用中',
  revoke: 'ログアウト',
  revokeOf: (name: string) => `${name}をログアウトさせる`,
  revokeTitle: 'この端末をログアウトさせますか',
  revokeText: (name: string) =>
    `「${name}」は、次に操作したときにログアウトします。その端末の下書きと送信待ちの投稿や本人確認は、その端末に残ります。`,
  revokeAct: 'ログアウトさせる',
  revoked: '端末をログアウトさせました。',
  others: 'ほかの端末をすべてログアウト',
  othersTitle: 'ほかの端末をすべてログアウトさせますか',
  othersText: (count: number) => `この端末以外の${count}台が、次に操作したときにログアウトします。`,
  othersDone: (count: number) => `${count}台の端末をログアウトさせました。`,
  failed: 'ログアウトさせられませんでした。もう一度お試しください。',
} as const
