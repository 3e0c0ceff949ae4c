// Texts of the settings at runtime.
import type { LimitName, RegistrationMode, SettingName } from '#contract/administration/runtime-names.ts'

const limits = {
  upload_mib_member: 'ファイルの上限（ユーザー、MB）',
  upload_mib_staff: 'ファイルの上限（運営メンバー、MB）',
  unfinished_uploads: '送信途中のファイル（1人、件）',
  stored_gib: '保存容量（1人、GB）',
  posts_per_day: '投稿（1人、1日）',
  comments_per_hour: 'コメント（1人、1時間）',
  messages_per_hour: 'メッセージ（1人、1時間）',
  follows_per_hour: 'フォロー（1人、1時間）',
  sign_ups_per_day: '新規登録（サービス全体、24時間）',
} satisfies Record<LimitName, string>

export const settingsText = {
  title: '運用の設定',
  lead: '変更は5秒以内にすべてのサーバーに反映され、履歴と監査ログに残ります。',
  save: '保存する',
  saved: '設定を変更しました。',
  unchanged: '変更した項目はありません。',
  failed: '設定を変更できませんでした。',
  confirm: '設定の変更の前に、本人であることを確認してください。確認は10分間有効です。',
  registration: {
    title: '新規登録',
    label: '新規登録の受け付け',
    modes: { open: '受け付ける', invite: '招待制にする', closed: '停止する' } satisfies Record<
      RegistrationMode,
      string
    >,
    hints: {
      open: 'だれでも登録できます。',
      invite: '有効な招待コードを持つ人だけが登録できます。',
      closed: '新しいアカウントは作られません。送信済みの確認メールのリンクも使えません。',
    } satisfies Record<RegistrationMode, string>,
  },
  bar: {
    title: '画面上部の表示',
    lead: 'ログインしていない人も含め、すべての人に表示します。閉じた人には、文を変更するまで表示しません。',
    text: '文',
    link: 'リンク先',
    optional: '任意',
    linkHint: 'このサイトのパス（/help など）を入力してください。',
    from: '開始',
    until: '終了',
    times: '日本時間で入力してください。',
    time: '日時を入力してください',
    order: '終了は、開始よりあとにしてください',
    end: '表示をやめる',
  },
  limits: {
    title: '上限',
    lead: '空欄にすると標準の値になります。',
    names: limits,
    hint: (least: string, most: string, usual: string) => `${least}〜${most}・標準 ${usual}`,
    noUsual: '上限なし',
    number: '整数を入力してください',
  },
  invitations: {
    title: '招待コード',
    lead: 'コードは、アカウントが作られたときに1回使われます。',
    none: '招待コードはありません。',
    count: '作る数',
    uses: '1つのコードで登録できる人数',
    days: '有効な日数',
    make: '作成する',
    made: (count: number) => `招待コードを${count}件作成しました。`,
    used: (used: number, uses: number) => `${used} / ${uses}人`,
    until: (when: string) => `${when}まで`,
    states: { usable: '有効', used: '使用済み', over: '期限切れ', revoked: '無効' },
    copy: 'リンクをコピー',
    copyOf: (code: string) => `${code}のリンクをコピー`,
    copied: 'リンクをコピーしました。',
    notCopied: 'コピーできませんでした。コードを選択してコピーしてください。',
    revoke: '無効にする',
    revokeOf: (code: string) => `${code}を無効にする`,
    revoked: '招待コードを無効にしました。',
    failed: '操作できませんでした。',
    more: '続きを読み込む',
  },
  history: {
    title: '変更の履歴',
    none: 'まだ変更はありません。',
    names: { registration: '新規登録', bar: '画面上部の表示', ...limits } satisfies Record<
      SettingName,
      string
    >,
    change: (from: string, to: string) => `${from} → ${to}`,
    usual: '標準',
    noBar: '表示なし',
    bar: (text: string, link: string, from: string, until: string) =>
      `「${text}」${link === '' ? '' : `（${link}）`}${from}〜${until}`,
    by: (name: string, when: string) => `${name}・${when}`,
    gone: '削除されたアカウント',
    more: '続きを読み込む',
  },
} as const
