// The texts of the upload tray.
import { expect, test } from 'vitest'
import type { DeliveryView } from './delivery.ts'
import {
  amountOf,
  fileLineOf,
  hintOf,
  stateLineOf,
  mayRetry,
  percentOf,
  continuationOf,
  reasonOf,
  summaryOf,
  requiresIdentity,
  titleOf,
} from './delivery-text.ts'
import type { UploadedFile } from './uploaded-file.ts'

const MiB = 1024 * 1024
const delivery = (change: Partial<DeliveryView> = {}): DeliveryView => ({
  id: 'job',
  kind: 'post',
  protocol: 'tus',
  title: '海',
  content: '海',
  postId: null,
  status: { is: 'sending' },
  files: [],
  percent: 42,
  bytesUploaded: 84 * MiB,
  bytesTotal: 200 * MiB,
  speed: null,
  secondsLeft: null,
  restarted: false,
  canCancel: true,
  canHurry: false,
  canDropFile: true,
  bytesAt: 'device',
  forAll: null,
  ...change,
})

test('a delivery that is being sent shows its percentage and remaining time', () => {
  expect(stateLineOf(delivery())).toBe('送信中 42%')
  expect(stateLineOf(delivery({ secondsLeft: 170 }))).toBe('送信中 42%・残り約3分')
})

test('a failure shows its reason and an action', () => {
  const failed = delivery({ status: { is: 'failed', code: 'too_large', fields: {} } })
  expect(stateLineOf(failed)).toBe('送信できませんでした')
  expect(reasonOf(failed)).toBe('ファイルが大きすぎます。小さいファイルを選択してください。')
  expect(reasonOf(delivery())).toBeUndefined()
})

test('a server without room is shown as waiting with a reason', () => {
  const waiting = delivery({ status: { is: 'noRoom', until: 0 } })
  expect(stateLineOf(waiting)).toBe('サーバーの空きを待っています 42%')
  expect(reasonOf(waiting)).toMatch(/^サーバーの空き容量が足りないため待っています。/)
  expect(hintOf([waiting], 'background')).toMatch(/空きができると、自動で送信します$/)
  expect(summaryOf([waiting, waiting])).toBe('サーバーの空きを待っています 42%')
})

test('foreign replies are shown with a possible solution', () => {
  const waiting = delivery({ status: { is: 'foreign', until: 0 } })
  expect(reasonOf(waiting)).toContain('接続先の確認が必要かもしれません')
  expect(hintOf([waiting], 'background')).toMatch(/^接続先の確認が必要かもしれません/)
  const film = { ...waiting, files: [{} as UploadedFile] }
  expect([stateLineOf(film), stateLineOf(waiting)]).toEqual([
    'サーバーの応答を待っています 42%',
    'サーバーの応答を待っています',
  ])
  expect(summaryOf([waiting, waiting])).toBe('サーバーの応答を待っています 42%')
})

test('sizes are megabytes with two decimals, with the speed while there is one', () => {
  expect(amountOf(delivery())).toBe('84.00MB / 200.00MB')
  expect(amountOf(delivery({ speed: 2.5 * MiB }))).toBe('84.00MB / 200.00MB・2.50MB/秒')
})

test('several posts have one line, but a post that needs the person comes first', () => {
  const other = delivery({ percent: 0 })
  expect(summaryOf([delivery(), other])).toBe('2件を送信中 21%')
  expect(percentOf([delivery(), other])).toBe(21)
  expect(summaryOf([other, delivery({ status: { is: 'failed', code: 'internal', fields: {} } })])).toBe(
    '送信できませんでした',
  )
  expect(summaryOf([])).toBe('')
})

const file = (change: Partial<UploadedFile> = {}): UploadedFile => ({
  id: 'file',
  kind: 'video',
  state: 'started',
  name: '海.mp4',
  size: 200 * MiB,
  type: 'video/mp4',
  extension: 'mp4',
  meta: { alt: '', duration: 3 },
  progress: {
    bytesUploaded: 84 * MiB,
    bytesTotal: 200 * MiB,
    percentage: 42,
    uploadComplete: false,
    uploadStarted: true,
  },
  isPaused: false,
  error: null,
  isGhost: false,
  failedAlone: false,
  bytesAt: 'device',
  ...change,
})

test('a file shows its state and, while it is being sent, its sent bytes', () => {
  expect(fileLineOf(file())).toBe('送信中・84.00MB / 200.00MB')
  expect(fileLineOf(file({ state: 'new' }))).toBe('送信待ち・200.00MB')
  expect(fileLineOf(file({ isGhost: true }))).toBe('この端末に保存中・200.00MB')
  expect(fileLineOf(file({ isGhost: true, state: 'errored' }))).toBe('失敗・200.00MB')
})

test('no delivery after closing is promised while a file is being stored', () => {
  const sending = delivery()
  expect(continuationOf([sending], 'background')).toBe('アプリを閉じても続きから送信します')
  const copying = { ...sending, files: [file({ isGhost: true })] }
  expect(continuationOf([copying], 'background')).toBe(
    'この端末への保存が終わるまで、ページを開いたままにしてください',
  )
  const failed = { ...copying, status: { is: 'failed', code: 'bytes_missing', fields: {} } as const }
  expect(continuationOf([failed, sending], 'background')).toBe('アプリを閉じても続きから送信します')
})

test('several waiting deliveries show why they wait', () => {
  const waiting = delivery({ status: { is: 'waiting', until: 0 }, percent: 40 })
  const paused = delivery({ status: { is: 'paused' }, percent: 20 })
  expect(summaryOf([waiting, paused])).toBe('接続を待っています 30%')
  expect(summaryOf([paused, paused])).toBe('一時停止中 20%')
  expect(summaryOf([paused, delivery({ percent: 40 })])).toBe('2件を送信中 30%')
})

test('paused deliveries do not promise to continue', () => {
  const paused = delivery({ status: { is: 'paused' } })
  expect(continuationOf([paused], 'background')).toBe('再開すると、続きから送信します')
  expect(continuationOf([paused, delivery()], 'background')).toBe('アプリを閉じても続きから送信します')
})

test('a post that requires an identity check links to it; an identity check does not', () => {
  const status = { is: 'failed', code: 'identity_required', fields: {} } as const
  expect(requiresIdentity(delivery({ status }))).toBe(true)
  expect(reasonOf(delivery({ status }))).toContain('本人確認が必要です')
  expect(requiresIdentity(delivery({ kind: 'identity', status }))).toBe(false)
  expect(requiresIdentity(delivery({ status: { ...status, code: 'too_large' } }))).toBe(false)
})

test('a delivery that waits for the network promises to continue with the network', () => {
  const waiting = delivery({ status: { is: 'waiting', until: 0 }, percent: 0 })
  expect(stateLineOf(waiting)).toBe('接続を待っています')
  expect(stateLineOf({ ...waiting, files: [file()], percent: 42 })).toBe('接続を待っています 42%')
  expect(continuationOf([waiting], 'background')).toBe('接続が戻ると、アプリを閉じていても送信します')
  expect(continuationOf([waiting], 'open')).toBe('接続が戻ると、アプリを開いている間に送信します')
  expect(continuationOf([waiting, delivery()], 'background')).toBe('アプリを閉じても続きから送信します')
})

test('a failed message shows why, and is sent again unless the same files would be refused again', () => {
  const failed = (code: string) =>
    delivery({ kind: 'message', status: { is: 'failed', code, fields: {} } as never })
  expect(reasonOf(failed('forbidden'))).toBe('この相手にはメッセージを送れません。')
  const codes = ['forbidden', 'internal', 'unsupported_media', 'too_large', 'conflict', 'bytes_missing']
  expect(codes.filter((code) => mayRetry(failed(code)))).toEqual(['forbidden', 'internal'])
})

test('the list of deliveries is named after their kinds', () => {
  const [post, message, check] = (['post', 'message', 'identity'] as const).map((kind) => delivery({ kind }))
  if (!post || !message || !check) throw new Error('a kind is missing')
  expect([[post], [check, post], [check], [message], [post, message]].map(titleOf)).toEqual([
    '送信中の投稿',
    '送信中の投稿',
    '送信中の書類',
    '送信中のメッセージ',
    '送信中のもの',
  ])
  expect(stateLineOf({ ...message, status: { is: 'finishing' } })).toBe('送信しています')
})

test('a retry is not offered when the same bytes would be refused again', () => {
  const failed = (code: string) => delivery({ status: { is: 'failed', code, fields: {} } as never })
  for (const code of ['too_large', 'unsupported_media', 'invalid']) {
    expect(mayRetry(failed(code))).toBe(false)
    expect(hintOf([failed(code)], 'background')).toBe('開いて、理由を確認できます')
  }
  for (const code of ['internal', 'unavailable', 'forbidden', 'conflict', 'no_post_id']) {
    expect(mayRetry(failed(code))).toBe(true)
    expect(hintOf([failed(code)], 'background')).toBe('開いて、もう一度送信できます')
  }
})
