// The words of pushes on this device.
import type { TestOutcome } from '#contract/notifications/push-subscriptions.ts'
import type { PushStatus, EnableResult } from '#src/domain/push/push-device.ts'

export const pushText = {
  title: 'この端末への通知',
  status: {
    on: 'アプリを閉じていても、この端末に届きます。',
    off: 'アプリを閉じていても、コメントやフォローなどを端末の通知でお知らせします。',
    denied:
      'この端末では、とどけの通知がブロックされています。ブラウザーのサイトの設定か、端末の設定で通知を許可すると、ここで受け取れるようになります。',
    install: 'iPhoneとiPadでは、ホーム画面に追加したとどけから開くと、通知を受け取れます。',
    unsupported:
      'このブラウザーは、アプリを閉じている間の通知に対応していません。かわりに、メールで受け取れます。',
  } satisfies Record<PushStatus, string>,
  turnOn: '通知を受け取る',
  turnOff: 'この端末の通知をオフにする',
  test: 'テスト通知を送る',
  busy: '確認しています',
  later: 'あとで',
  installHow: '追加のしかた',
  helpDenied: '通知が出ないとき',
  offerTitle: '返信が届いたら、通知でお知らせします',
  offer:
    'コメントへの返信やフォローなどを、アプリを閉じていても端末の通知でお知らせします。種類ごとの設定は、あとから変更できます。',
  turned: {
    on: { sentence: 'この端末で通知を受け取ります。', as: 'success' },
    denied: { sentence: '通知は許可されませんでした。', as: 'default' },
    failed: {
      sentence: '通知を受け取れるようにできませんでした。通信状況を確認して、もう一度お試しください。',
      as: 'error',
    },
  } satisfies Record<EnableResult, { sentence: string; as: 'success' | 'default' | 'error' }>,
  off: 'この端末では通知を受け取りません。',
  tested: {
    sent: 'テスト通知を送りました。まもなく届きます。',
    none: 'この端末の登録が切れていました。もう一度「通知を受け取る」を押してください。',
    failed: 'テスト通知を送れませんでした。しばらくしてから、もう一度お試しください。',
  } satisfies Record<TestOutcome, string>,
} as const
