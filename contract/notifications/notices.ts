// System notifications about submitted posts, checks and messages: words, and the page they open.

/** A delivery ended, or waits for the person. `title` is the post's first line, or empty. */
export type DeliveryNotice =
  | { is: 'published'; jobId: string; title: string; postId: string }
  | { is: 'failed'; jobId: string; title: string }
  /** Documents of an identity check arrived, or did not. */
  | { is: 'identitySent'; jobId: string }
  | { is: 'identityFailed'; jobId: string }
  /** `userId`: the person to whom the message goes. */
  | { is: 'messageFailed'; jobId: string; userId: string }
  /** The session has ended: any person may see this, so it names nothing. */
  | { is: 'signedOut'; jobId: string }

export interface NoticeText {
  title: string
  body: string
  /** A later notice about the same post takes the place of an earlier one. */
  tag: string
  /** Where a press leads, from the origin's root. */
  path: string
}

/** How the tags of these notices begin. */
export const NOTICE_TAG = 'delivery-'

/**
 * What the system shows about a post that the browser sends by itself.
 * @param title the post's first line, or empty
 * @param state `rest`: the browser has ended, and the app sends what is left. `ended`: nothing more is known, so that it names nothing
 */
export function carriedTitle(
  state: 'sending' | 'published' | 'rest' | 'failed' | 'ended',
  title: string,
): string {
  const post = title ? `「${short(title)}」` : '投稿'
  switch (state) {
    case 'sending':
      return `${post}を送信しています`
    case 'published':
      return `${post}を公開しました`
    case 'rest':
      return `${post}の送信は、アプリが続けます`
    case 'failed':
      return `${post}を公開できませんでした`
    case 'ended':
      return '送信を終了しました'
    default:
      return state satisfies never
  }
}

/** The words of a notice. */
export function noticeText(notice: DeliveryNotice): NoticeText {
  const post = 'title' in notice && notice.title ? `「${short(notice.title)}」` : '投稿'
  const tag = NOTICE_TAG + notice.jobId
  switch (notice.is) {
    case 'published':
      return {
        title: '投稿が完了しました',
        body: `${post}を公開しました。`,
        tag,
        path: `/post/${notice.postId}`,
      }
    case 'failed':
      return {
        title: '投稿を送信できませんでした',
        body: `${post}は端末に保存してあります。開いて、もう一度送信できます。`,
        tag,
        path: '/',
      }
    case 'identitySent':
      return {
        title: '本人確認の書類を送信しました',
        body: '審査の結果は、メールでお知らせします。',
        tag,
        path: '/user/verification',
      }
    case 'identityFailed':
      return {
        title: '本人確認の書類を送信できませんでした',
        body: '書類は端末に保存してあります。開いて、理由を確認してください。',
        tag,
        path: '/user/verification',
      }
    case 'messageFailed':
      return {
        title: 'メッセージを送信できませんでした',
        body: '画像や動画は端末に保存してあります。開いて、理由を確認してください。',
        tag,
        path: `/chat-messages/${notice.userId}`,
      }
    case 'signedOut':
      return {
        title: 'ログインが必要です',
        body: '送信が終わっていないものがあります。ログインすると続きから送信します。',
        tag,
        path: '/login',
      }
    default:
      return notice satisfies never
  }
}

/** Characters of a post's first line that a notice shows. */
const TITLE_LENGTH = 40

function short(title: string): string {
  const characters = [...new Intl.Segmenter('ja').segment(title)].map((it) => it.segment)
  return characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH).join('')}…` : title
}
