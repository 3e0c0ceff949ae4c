// The words of installing the app.
import type { InstallMethod } from '#src/domain/install/install-method.ts'

export const installText = {
  title: 'ホーム画面に追加',
  offer: 'ホーム画面に追加すると、アプリのようにすぐ開けて、通知も受け取れます。',
  how: '追加する',
  later: 'あとで',
  row: 'ホーム画面に追加',
  lead: {
    prompt:
      '追加すると、ホーム画面からワンタップで開けます。通信が切れても、投稿の送信と閲覧を続けられます。',
    ios: '次の手順で追加できます。追加したアプリから開くと、通知も受け取れます。',
    'in-app':
      'いま開いているアプリの中の画面からは追加できません。次の手順で、ブラウザーで開き直してください。',
    menu: 'お使いのブラウザーのメニューから追加できます。',
    installed: 'ホーム画面のアイコンから開いています。',
  } satisfies Record<InstallMethod, string>,
  steps: {
    ios: [
      '共有ボタン（□に↑のマーク）をタップします',
      '「ホーム画面に追加」を選びます',
      '右上の「追加」を押します',
    ],
    'in-app': [
      '画面の隅にあるメニューを開きます',
      '「ブラウザーで開く」を選びます',
      '開いた画面で、もう一度「ホーム画面に追加」を選びます',
    ],
    menu: ['ブラウザーのメニューを開きます', '「アプリをインストール」または「ホーム画面に追加」を選びます'],
  } satisfies Partial<Record<InstallMethod, string[]>>,
  done: 'ホーム画面に追加しました。',
} as const
