// Texts of conversations and messages.
import type { ConversationList } from '#contract/messages/conversation-lists.ts'
import type { Reaction } from '#contract/messages/messages.ts'
import { number } from '#src/lib/format.ts'
import type { SentState } from './shown-messages.ts'

export const reactionSigns: Record<Reaction, string> = {
  heart: '❤️',
  thanks: '🙏',
  laugh: '😆',
  surprise: '😮',
  sad: '😢',
  yes: '👍',
}

const reactionNames: Record<Reaction, string> = {
  heart: 'ハート',
  thanks: 'ありがとう',
  laugh: '笑い',
  surprise: 'びっくり',
  sad: '悲しい',
  yes: '了解',
}

export const searchInMessagesText = {
  title: 'メッセージを検索',
  field: 'メッセージのキーワード',
  act: '検索する',
  only: (name: string) => `${name}さんとのトークで検索しています`,
  everywhere: 'すべてのトークで検索',
  any: '指定なし',
  from: { label: '送った人', me: '自分', other: '相手' },
  has: { label: '含むもの', image: '画像', video: '動画', link: 'リンク' },
  since: 'この日から',
  begin: 'キーワードを入力してください',
  beginText: '自分のトークの中から、メッセージを探せます。',
  none: (q: string) => `「${q}」は見つかりませんでした`,
  noneText: '別のキーワードや条件でお試しください。',
  hits: (q: string) => `「${q}」の検索結果`,
} as const

export const messagePostText = {
  kinds: { 1: '投稿', 2: 'プラン限定の投稿', 3: '有料の投稿' },
  none: 'この投稿は表示できません',
  requested: '投稿は、リクエストを承認すると表示されます。',
  open: '投稿を見る',
  buy: '購入へ進む',
  line: '投稿',
} as const

export const messagesText = {
  title: 'メッセージ',
  lists: { inbox: 'トーク', requests: 'リクエスト', archived: 'アーカイブ' } satisfies Record<
    ConversationList,
    string
  >,
  requestsWith: (count: number) => `リクエスト ${number(count)}件`,
  listsLabel: 'メッセージの種類',
  listOf: (list: string) => `${list}の一覧`,
  more: '続きを読み込む',
  empty: {
    inbox: {
      title: 'まだメッセージはありません',
      text: 'プロフィールの「メッセージ」から、クリエイターやファンにメッセージを送れます。',
    },
    requests: {
      title: 'メッセージリクエストはありません',
      text: 'フォローしていない人からのメッセージは、承認するまでここに届きます。',
    },
    archived: {
      title: 'アーカイブしたトークはありません',
      text: 'アーカイブすると、新しいメッセージが届くまで一覧に表示されません。',
    },
  } satisfies Record<ConversationList, { title: string; text: string }>,
  findPeople: 'ユーザーを検索',
  own: (excerpt: string) => `自分：${excerpt}`,
  draft: (typed: string) => `下書き：${typed}`,
  unsentRow: 'メッセージの送信を取り消しました',
  noMessage: 'メッセージはありません',
  unreadCount: (count: number) => (count > 99 ? '未読99件以上' : `未読${count}件`),
  isPinned: 'ピン留め',
  isMuted: '通知オフ',
  menu: (name: string) => `${name}さんとのトークのメニュー`,
  pin: 'ピン留めする',
  unpin: 'ピン留めを外す',
  mute: '通知をオフにする',
  unmute: '通知をオンにする',
  archive: 'アーカイブする',
  unarchive: 'アーカイブから戻す',
  profile: 'プロフィールを見る',
  searchHere: 'このトークを検索',
  archived: 'アーカイブしました。',
  tooManyPins: 'ピン留めできるトークは10件までです。',
  notDone: '変更を保存できませんでした。',
  clear: 'トークを削除',
  clearTitle: 'このトークを削除しますか',
  clearText: (name: string) =>
    `メッセージは自分の画面からだけ削除され、${name}さんの画面には残ります。元に戻せません。`,
  clearAct: '削除する',
  cleared: 'トークを削除しました。',

  thread: (name: string) => `${name}さんとのメッセージ`,
  notFound: 'このトークは表示できません',
  notFoundText: '相手のアカウントが削除されたか、メッセージを送れない相手です。',
  toList: 'メッセージの一覧',
  begin: (name: string) => `${name}さんにメッセージを送ってみましょう。`,
  earlier: '前のメッセージを読み込む',
  later: '次のメッセージを読み込む',
  unreadLine: 'ここから未読のメッセージ',
  newer: '新着メッセージ',
  toNewest: '最新のメッセージへ',
  saidBy: (name: string, content: string) => `${name}さん：${content}`,
  you: '自分',
  sentAt: (when: string) => `${when}に送信`,
  unsent: 'メッセージの送信を取り消しました',
  unsentByOther: (name: string) => `${name}さんがメッセージの送信を取り消しました`,
  states: { sent: '送信済み', delivered: '届きました', read: '既読' } satisfies Record<SentState, string>,
  sending: '送信中',
  failed: '送信できませんでした',
  again: 'もう一度送信',
  drop: '削除する',
  jump: '返信先のメッセージを表示',
  lostReply: '元のメッセージは表示できません',
  notThere: 'お探しのメッセージは表示できません。',

  imageOf: (now: number, all: number) => `${all}枚中${now}枚目の画像`,
  video: '動画',
  hiddenMedia: (count: number) => `画像・動画${count}件は、リクエストを承認すると表示されます。`,
  mediaProcessing: '準備しています',
  mediaFailed: 'このファイルは表示できません',
  files: (count: number) => `画像・動画${count}件`,

  write: 'メッセージを書く',
  send: '送信',
  reply: (excerpt: string) => `返信先：${excerpt}`,
  stopReply: '返信をやめる',
  tooLong: (over: number) => `上限を${number(over)}文字超えています`,
  closed: 'この相手にはメッセージを送れません。',
  waiting: '相手がリクエストを承認すると、続きを送れます。',
  asRequest: (name: string) =>
    `${name}さんが承認するまで、メッセージリクエストとして届きます。3件まで送れます。`,

  request: (name: string) => `${name}さんからのメッセージリクエストです`,
  requestText: '承認すると、返信でき、相手に既読が表示されます。拒否しても、相手には知らされません。',
  accept: '承認する',
  decline: '拒否する',
  block: 'ブロックする',
  accepted: 'リクエストを承認しました。',
  declined: 'リクエストを拒否しました。',

  acts: (content: string) => `「${content}」のメニュー`,
  react: (it: Reaction) => `${reactionSigns[it]} ${reactionNames[it]}`,
  reactions: (it: Reaction, names: string) => `${reactionNames[it]}：${names}`,
  removeReaction: 'リアクションを外す',
  answer: '返信する',
  copy: 'コピー',
  copied: 'メッセージをコピーしました。',
  notCopied: 'コピーできませんでした。',
  unsend: '送信を取り消す',
  unsendTitle: 'このメッセージの送信を取り消しますか',
  unsendText: '相手の画面からも削除され、取り消したことが表示されます。',
  unsendAct: '取り消す',
  hide: '自分の画面から削除',
  hideTitle: 'このメッセージを削除しますか',
  hideText: '自分の画面からだけ削除されます。相手の画面には残ります。',
  hideAct: '削除する',
  report: '通報する',
  name: (name: string) => `${name}さん`,
} as const
