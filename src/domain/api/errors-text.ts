// Error sentences, one for every code. Quoted sentences of the specification are unchanged.
import type { FieldCode } from '#contract/errors.ts'
import type { FailureCode as QueueCode } from '#device/jobs/failure-code.ts'
import type { FailureCode } from './api.ts'

/** What happened, and what the person can do. A code without a sentence does not compile. */
export const errorText: Record<FailureCode | QueueCode, string> = {
  bad_request: '送信した内容を読み取れませんでした。画面を読み込み直してお試しください。',
  bad_json: '送信した内容を読み取れませんでした。画面を読み込み直してお試しください。',
  unauthenticated: 'ログインの有効期限が切れました。もう一度ログインしてください。',
  wrong_credentials: 'メールアドレスまたはパスワードが違います。',
  forbidden: 'この操作はできません。',
  forbidden_origin: 'このページからの操作は受け付けられません。とどけを開き直してお試しください。',
  validation_required: '続けるには、パスワードをもう一度確認してください。',
  second_factor_required: '認証コードを入力してください。',
  passkey_required: 'パスキーでの確認が必要です。',
  identity_required:
    'プランの作成と、プラン限定・有料の投稿には、本人確認が必要です。内容は残っています。本人確認が承認されてから、もう一度お試しください。',
  under_age: '18歳未満の方は、この操作をご利用いただけません。',
  confirm_password: '登録を完了するには、登録したときのパスワードを入力してください。',
  leaving: 'アカウントの削除の手続き中は、この操作はできません。削除を取り消すと、できるようになります。',
  suspended:
    'このアカウントは利用を停止されています。理由と購入履歴は、お送りしたメールのリンクから確認できます。',
  passkey_refused: 'パスキーを確認できませんでした。もう一度お試しください。',
  passkey_unverified:
    '顔や指紋、画面ロックなどによる確認のないパスキーは使えません。パスワードでログインしてください。',
  payment_limit:
    '登録から30日未満の方は、24時間にお支払いいただける金額の合計に上限があります。時間をおくか、登録から30日たってからお試しください。',
  not_found: '見つかりませんでした。削除されたか、非公開になっている可能性があります。',
  method_not_allowed: 'この操作はできません。画面を読み込み直してお試しください。',
  conflict: 'ほかの操作と重なりました。画面を読み込み直してお試しください。',
  sign_up_closed: '新規登録は停止しています。',
  sold: '購入した人がいるため、この変更はできません。',
  plan_limit: 'プランは10個までです。終了したプランは数えません。',
  broadcast_limit: '一斉送信は1日10回までです。明日以降にお試しください。',
  storage_limit: '保存容量の上限を超えるため、保存できません。不要な投稿を削除すると、30日後に空きます。',
  already_bought: 'この投稿はすでに購入しています。画面を読み込み直してお試しください。',
  already_joined:
    'このクリエイターのプランにすでに加入しています。「加入中のプラン」から確認と変更ができます。',
  comments_closed: 'この投稿では、コメントを受け付けていません。',
  plan_closed: 'このプランは、現在新しい加入を受け付けていません。',
  sales_paused: '現在申込みを受け付けていません。',
  hour_limit:
    '登録から間もないアカウントでは、1時間にできる回数に上限があります。1時間ほどたってから、もう一度お試しください。',
  day_limit:
    '登録から間もないアカウントでは、1日にできる回数に上限があります。24時間ほどたってから、もう一度お試しください。',
  follow_limit:
    '短い時間に多くの人をフォローしたため、フォローを一時的に止めています。1時間ほどたってから、もう一度お試しください。',
  text_limit:
    '同じ文面を多くの人に送ることはできません。文面を変えるか、24時間ほどたってから、もう一度お試しください。',
  price_changed: '価格が変更されました。新しい価格を確認してから、もう一度お試しください。',
  unseen:
    '内容の表示が確認できていないか、表示したあとで内容が変わりました。最新の内容を確認してから、もう一度お試しください。',
  upload_exists: 'このファイルはすでに送信されています。',
  offset_mismatch: '送信が途切れたため、続きから送り直します。',
  chunk_out_of_order: '送信が途切れたため、続きから送り直します。',
  upload_incomplete: 'ファイルの送信が終わっていません。続きから送信してください。',
  gone: 'この内容はすでに削除されています。',
  post_deleted: 'この投稿は、公開されたあとで削除されています。',
  link_invalid: 'このリンクは使えません。有効期限が切れているか、すでに使われています。',
  code_expired: 'コードの有効期限が切れました。新しいコードを受け取ってください。',
  too_large: 'ファイルが大きすぎます。小さいファイルを選択してください。',
  unsupported_media: 'この形式のファイルは投稿できません。別のファイルを選択してください。',
  invalid: '入力内容をご確認ください。',
  digest_mismatch: '届いたファイルが元のファイルと一致しませんでした。もう一度送信してください。',
  code_wrong: 'コードが違います。メールに書かれたコードをご確認ください。',
  upload_held: 'このファイルは別の送信で使われています。少し待ってからお試しください。',
  rate_limited: '操作の回数が多すぎます。少し待ってからお試しください。',
  sign_in_paused:
    'このアドレスでのログインの失敗が続いたため、パスワードでのログインを一時的に止めています。以前ログインした端末かパスキーでログインするか、パスワードを再設定してください。',
  internal: 'サーバーで問題が起きました。少し待ってからお試しください。',
  body_incomplete: '送信が途中で切れました。もう一度お試しください。',
  request_timeout: '送信に時間がかかりすぎました。通信状況を確認して、もう一度お試しください。',
  not_implemented: 'この操作には対応していません。',
  unavailable: 'サーバーが混み合っています。少し待ってからお試しください。',
  storage_full: 'サーバーの空き容量が足りません。少し待ってからお試しください。',
  offline: '通信できませんでした。通信状況を確認して、もう一度お試しください。',
  foreign:
    'サーバーではないところから応答がありました。公衆Wi-Fiへのログインなど、接続先の確認が必要かもしれません。確認してから、もう一度お試しください。',
  unreadable: 'サーバーの応答を読み取れませんでした。画面を読み込み直してお試しください。',
  bytes_missing: 'この端末に保存したファイルが見つかりません。ファイルを選び直してください。',
  no_post_id: '投稿を作成できませんでした。再度投稿をお試しください。',
  row_broken: 'この端末に保存した内容が壊れています。もう一度作成してください。',
}

/** An unexpected error. */
export const unexpectedErrorText = '問題が起きました。画面を読み込み直して、もう一度お試しください。'

/** Why one field was refused. */
export const fieldText: Record<FieldCode, string> = {
  required: '入力必須項目です。',
  malformed: '正しい形式で入力してください',
  email: 'メールアドレスは正しい形式で入力してください',
  password: 'パスワードが条件を満たしていません',
  wrong_password: 'パスワードが違います',
  unchanged: '現在の設定と同じです。別の内容を入力してください',
  code: '6桁の数字を入力してください',
  wrong_code: 'コードが違います。',
  too_short: '文字数が足りません',
  too_long: '文字数が上限を超えています',
  too_many_bytes: '絵文字や重ねた記号が多すぎます。数を減らしてください',
  too_many_marks: '文字に重ねる記号は8個までにしてください',
  control_characters: '改行や、表示の向きを変える特殊な文字は使えません',
  invisible: '目に見える文字を入力してください',
  too_small: '値が小さすぎます',
  too_large: '値が大きすぎます',
  alphanumeric: '英字と数字だけで入力してください',
  number: '数字で入力してください',
  repeat: '2つの入力内容が一致していません',
  reset_token: '再設定の手続きが変わりました。最初からやり直してください',
  account_name: '全角のカタカナ・英数字で入力してください',
  https_url: 'https:// で始まるURLを入力してください',
  under_age: '18歳未満の方は登録できません',
  expired: '期限が切れています。もう一度お試しください',
  locked: '本人確認のあとは変更できません',
  consent: '利用規約への同意が必要です',
  unknown_post: 'この投稿は添付できません。公開中の自分の投稿を選んでください',
  unknown_plan: '選択したプランは使えなくなりました。選び直してください',
  unknown_upload: '送信したファイルが見つかりません。選び直してください',
  unknown_branch: '銀行または支店が見つかりません。選び直してください',
  no_media: 'この投稿には画像も動画もありません。ほかの種類からお送りください',
  already_requested: 'この投稿についての申出は、すでに受け付けて確認しています',
  unknown_content: 'このサイトの投稿・コメント・プロフィールのURLではないか、すでに削除されています',
  unknown_person: 'ユーザーが見つかりません。ユーザー名またはメールアドレスを確認してください',
  thumbnail_required: '※サムネイルの選択は必須です',
  empty_post: '本文を入力するか、ファイルを選択してください',
  unsupported: 'not support file',
  handle: '半角の英小文字・数字・アンダースコア（_）で、3〜20文字にしてください',
  taken: 'このユーザー名は使われています。別の名前を入力してください',
  registration_number: '登録番号を、通知書のとおりに入力してください',
  phone: '電話番号を、市外局番から数字で入力してください',
  reserved: '運営のアカウントと間違えられる名前は使えません。別の名前を入力してください',
}

/** The same with the bound that was passed, where the rule has one. */
export function fieldSentence(code: FieldCode, bound?: number): string {
  if (bound === undefined) return fieldText[code]
  const many = bound.toLocaleString('ja-JP')
  if (code === 'too_small') return `${many}以上の数字を入力してください`
  if (code === 'too_large') return `${many}以下の数字を入力してください`
  return code === 'too_long' ? `${many}文字以内で入力してください` : fieldText[code]
}
