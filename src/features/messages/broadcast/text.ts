// Texts of broadcasts.
import type { BroadcastView } from '#contract/messages/broadcasts.ts'
import { number } from '#src/lib/format.ts'

export const broadcastText = {
  title: '一斉送信',
  lead: '選んだプランのメンバーに、同じメッセージを1人ずつのトークで届けます。',
  begin: '一斉送信する',
  noPlans: 'プランがありません',
  noPlansText: 'プランを作成してメンバーが加入すると、一斉送信を使えます。',
  toPlans: 'プランを見る',

  plans: '送信先のプラン',
  noMembers: '選択したプランにメンバーがいません',
  content: 'メッセージ',
  post: '添付する投稿',
  choosePost: '自分の投稿から選ぶ',
  changePost: '別の投稿を選ぶ',
  removePost: '添付を外す',
  postKinds: { 1: '全体公開', 2: 'プラン限定', 3: '有料' },
  noText: '本文のない投稿',
  noPosts: '公開中の投稿がありません',
  more: '続きを読み込む',
  lostPost: 'この投稿は添付できません',
  check: '送信する人数を確認',
  needsPlan: '送信先のプランを選択してください',
  needsContent: 'メッセージを入力するか、投稿を添付してください',
  tooLong: (over: number) => `上限を${number(over)}文字超えています`,

  confirm: (count: number) => `${number(count)}人に一斉送信しますか`,
  confirmAtMost: (count: number) => `最大${number(count)}人に一斉送信しますか`,
  confirmText:
    '1人ずつのトークに届き、返信もそのトークに届きます。送信を始めたあとも、まだ届いていない分は停止できます。',
  confirmAct: '送信する',
  accepted: '一斉送信を受け付けました。',
  offline: 'オフラインです。接続が戻ると送信します。',

  list: '送信した一斉送信',
  empty: 'まだ一斉送信はありません',
  emptyText: '新しい投稿のお知らせやお礼を、メンバーにまとめて届けられます。',
  states: { delivering: '配信中', stopped: '停止しました', done: '完了' } satisfies Record<
    BroadcastView['state'],
    string
  >,
  waiting: '送信待ち',
  progress: '配信の進み具合',
  of: (names: string) => `送信先：${names}`,
  lostPlan: '終了したプラン',
  withPost: '添付した投稿を見る',
  postLost: '添付した投稿は表示できません',
  counts: { recipients: '対象', delivered: '届いた人', skipped: '届かなかった人', read: '既読' },
  people: (count: number) => `${number(count)}人`,
  skippedHint: 'プランを抜けた人や、メッセージを受け取らない設定の人などには届きません。',
  stop: '停止',
  stopOf: (content: string) => `停止：${content}`,
  stopTitle: 'この一斉送信を停止しますか',
  stopText: 'まだ届いていない人には送信されません。すでに届いたメッセージは残ります。',
  stopAct: '停止する',
  stopped: '一斉送信を停止しました。',
  alreadyDone: 'すでに配信が終わっていました。',
  notStopped: '停止できませんでした。',

  failed: '一斉送信を受け付けられませんでした。',
  again: 'もう一度送信',
  drop: '破棄する',
} as const
