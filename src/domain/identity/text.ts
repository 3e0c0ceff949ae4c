// Texts of identity checks: steps, camera problems and the check's state.
import type { DocumentKind, IdentityPart, PromptGesture } from '#contract/identity/identity.ts'
import { errorText } from '#src/domain/api/errors-text.ts'

export const identityText = {
  steps: '本人確認',
  stateLabel: '本人確認の状態',
  tryAgain: 'もう一度試す',
  intro:
    'プラン限定の投稿・有料の投稿の公開と、売上の受け取りには、本人確認が必要です。本人確認書類と、顔の動画を提出してください。',
  verified: '確認済み',
  missing: '未確認',
  waiting: '審査中',
  rows: { email: 'メールアドレス', age: '18歳以上', identity: '本人確認' },
  underAge: '18歳になると、本人確認のお手続きができます。',
  /** State of the check. */
  state: {
    none: '本人確認はまだお済みではありません。',
    sending: '書類を送信しています。アプリを閉じても、次に開いたときに続きから送信します。',
    failed: '書類を送信できませんでした。',
    submitted: '提出を受け付けました。審査が始まるまで、しばらくお待ちください。',
    in_review: '提出いただいた書類を審査しています。結果はメールでお知らせします。',
    approved: '本人確認が完了しています。',
    rejected: '本人確認を完了できませんでした。',
  },
  start: '本人確認を始める',
  goOn: '続きから進める',
  again: 'もう一度提出する',
  document: '書類',
  submittedAt: '提出',
  approvedAt: '承認',
  reviewNote: '審査担当者より',
  documents: {
    drivers_license: '運転免許証',
    my_number_card: 'マイナンバーカード',
    passport: 'パスポート',
    residence_card: '在留カード',
    special_permanent_resident: '特別永住者証明書',
  } satisfies Record<DocumentKind, string>,
  documentHints: {
    drivers_license: '表面と裏面を撮影します',
    my_number_card: '表面だけを撮影します。裏面は撮影しません',
    passport: '顔写真のページを撮影します',
    residence_card: '表面と裏面を撮影します',
    special_permanent_resident: '表面と裏面を撮影します',
  } satisfies Record<DocumentKind, string>,
  parts: { front: '表面', back: '裏面', live: '顔の動画' } satisfies Record<IdentityPart, string>,
  passportPage: '顔写真のページ',
  passportTitle: '顔写真のページを撮影する',
  backToPhotos: '撮影に戻る',
  name: {
    about: '本人確認書類に書かれているとおりに入力してください。書類と異なるときは、承認されません。',
    legalName: '氏名',
    legalNameHint: '漢字や英字を、書類と同じ表記で入力してください。',
    kana: 'フリガナ',
    kanaHint:
      '全角カタカナで入力してください。売上を受け取る口座の名義との照合にも使います。例：トドケ　ハナコ',
    birth: '生年月日',
    birthHint: '書類と異なるときは、次へ進む前に変更してください。',
    toInfo: 'アカウント情報を開く',
    facts: '書類と照合する内容',
    missing: '登録されていません',
    change: '変更する',
    changeLabel: '氏名とフリガナを変更する',
    toStep: '氏名の入力に進む',
    unread: 'アカウント情報を読み込めませんでした。通信状況を確認して、もう一度お試しください。',
    wanted:
      '氏名とフリガナが登録されていないため、審査を終えられません。書類に書かれているとおりに登録してください。書類を提出し直す必要はありません。',
    give: '氏名とフリガナを登録する',
  },
  stepTitles: {
    name: '氏名を入力する',
    document: '書類を選ぶ',
    front: '表面を撮影する',
    back: '裏面を撮影する',
    live: '顔の動画を撮影する',
    confirm: '内容を確認する',
  },
  stepOf: (step: number, of: number) => `${step} / ${of}`,
  chooseLegend: '本人確認書類の種類',
  next: '次へ',
  back: '前へ',
  take: '撮影する',
  takeAgain: '撮り直す',
  pickFile: '写真を選ぶ',
  confirmPhoto: 'この写真を使う',
  photoTips: ['書類の四隅まで入れてください', '文字が読める明るさで、光の反射を避けてください'],
  myNumberTip: '裏面には個人番号（マイナンバー）が記載されているため、撮影・提出しないでください。',
  shown: (part: string) => `撮影した${part}`,
  storing: 'この端末に保存しています',
  notFilm: 'この形式の動画は使えません。MP4・MOV・WebM の動画を撮影してください。',
  notPicture: 'この形式の画像は使えません。JPEG・PNG・WebP・HEIC の写真を選んでください。',
  tooLarge: (size: string) => `ファイルが大きすぎます。${size}以下にしてください。`,
  noRoom: '端末の空き容量が足りません。容量を空けてから、もう一度お試しください。',
  notStored: '端末に保存できませんでした。もう一度お試しください。',
  cameraView: 'カメラの映像',
  live: {
    about: '画面に表示される3つの動作を、順番に行ってください。撮影は約8秒です。',
    tips: ['顔全体が映る明るい場所で', '帽子・サングラス・マスクは外して', '音声も録音します'],
    openCamera: 'カメラを開く',
    opening: 'カメラを開いています',
    start: '撮影を始める',
    starting: (seconds: number) => `${seconds}秒後に始まります`,
    gesture: (n: number, of: number) => `動作 ${n} / ${of}`,
    left: (seconds: number) => `残り${seconds}秒`,
    recording: '撮影中',
    done: '撮影できました。内容を確認してください。',
    playback: '撮影した動画',
    use: 'この動画を使う',
    retake: '撮り直す',
    stop: '中止する',
    ownCamera: '端末のカメラアプリで撮影する',
    ownAbout: '次の動作を、順番に行いながら撮影してください。15分以内に提出まで進めてください。',
    ownStart: 'カメラアプリを開く',
    expired: '時間が過ぎたため、撮り直しが必要です。',
  },
  confirm: {
    about: '内容を確認して、提出してください。提出した書類は暗号化して保管し、審査担当者だけが閲覧します。',
    retention:
      '書類は、承認から90日で削除されます。承認されなかった場合は、結果の通知から30日で削除されます。',
    submit: '提出する',
    submitting: '提出しています',
    change: (part: string) => `${part}を撮り直す`,
  },
  completed: {
    title: '本人確認を受け付けました',
    about:
      '書類は順に送信されます。アプリを閉じても、次に開いたときに続きから送信します。審査の結果は、メールでお知らせします。',
    see: '確認の状態を見る',
    home: 'ホームへ',
  },
  recorded: {
    title: '撮影が終わりました',
    about: '顔の動画をこの端末に保存しました。最後に内容を確認して、提出してください。',
    next: '内容を確認する',
  },
  discard: '撮影した内容を削除する',
  discardTitle: '撮影した内容を削除しますか',
  discardText: '撮影した書類と動画を、この端末から削除します。',
  discardAction: '削除する',
  keepParts: '残しておく',
} as const

const gestures: Record<Exclude<PromptGesture, 'read_digits'>, string> = {
  turn_right: '顔をゆっくり右に向けてください',
  turn_left: '顔をゆっくり左に向けてください',
  look_up: '顔をゆっくり上に向けてください',
  open_mouth: '口を大きく開けてください',
  blink_twice: 'まばたきを2回してください',
  nod: '大きくうなずいてください',
  show_palm: '手のひらをカメラに見せてください',
}

/** A requested gesture as a sentence; digits are read one by one. */
export function promptText(prompt: string): string {
  const [gesture = '', digits = ''] = prompt.split(':')
  return gesture === 'read_digits'
    ? `「${digits.split('').join(' ')}」と声に出して読んでください`
    : (gestures[gesture as keyof typeof gestures] ?? gesture)
}

/** Why the camera did not open, and what the person can do. */
export const cameraText = {
  denied:
    'カメラとマイクの使用が許可されていません。ブラウザーのアドレスバー、または端末の設定で、このサイトにカメラとマイクを許可してから、もう一度お試しください。',
  none: 'カメラまたはマイクが見つかりませんでした。接続を確認するか、カメラのあるスマートフォンでお試しください。ここまでの内容はこの端末に残っています。',
  busy: 'カメラがほかのアプリで使われています。ほかのアプリやタブを閉じてから、もう一度お試しください。',
  unsupported: 'このブラウザーでは撮影できません。最新の Safari・Chrome・Edge・Firefox でお試しください。',
  failed: 'カメラを開けませんでした。もう一度お試しください。',
} as const
export type CameraProblem = keyof typeof cameraText

/** Whether a check was refused for want of a name. */
export const isAboutName = (fields: Readonly<Record<string, string>>): boolean =>
  'legal_name' in fields || 'legal_name_kana' in fields

/** Why the server refused a check. */
export function identityRefusal(
  code: keyof typeof errorText,
  fields: Readonly<Record<string, string>>,
): string {
  if (code === 'conflict') return 'すでに提出されています。本人確認の画面で、状態を確認してください。'
  if ('prompts_id' in fields) return '顔の動画の有効期限が切れました。撮り直して、もう一度提出してください。'
  if ('birth_date' in fields) return '18歳になると、本人確認のお手続きができます。'
  if (isAboutName(fields))
    return '氏名とフリガナが登録されていません。入力してから、もう一度提出してください。'
  const part = (['front', 'back', 'live'] as const).find((it) => it in fields)
  if (part && code !== 'upload_incomplete')
    return `${identityText.parts[part]}を受け付けられませんでした。撮り直して、もう一度提出してください。`
  return errorText[code]
}
